<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Run\Planner;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Test;
use Larder\Bench\Workload\Tests;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('list', 'Names the tests and the subjects')]
final class ListCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addOption('subjects', null, InputOption::VALUE_REQUIRED, 'PHP file that returns further subjects');
        $this->addFormat();
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $catalogue = Planner::catalogue(self::option($input, 'subjects'));
        $tests = Tests::standard($catalogue)->all();
        $subjects = $catalogue->all();
        $this->print($input, $output, static fn(): string => self::text(
            $tests,
            $subjects,
        ), static fn(): string => self::json([
            'tests' => array_map(
                static fn(Test $test): array => [
                    'name' => $test->name,
                    'title' => $test->title,
                    'work' => $test->work,
                    'unit' => $test->unit,
                    'subjects' => $test->subjects,
                    'quick' => $test->quick,
                    'full' => $test->full,
                ],
                $tests,
            ),
            'subjects' => array_map(
                static fn(Definition $subject): array => [
                    'id' => $subject->id,
                    'title' => $subject->title,
                    'role' => $subject->role->value,
                    'needs' => $subject->needs->value,
                    'missing' => $subject->missing(),
                    'terms' => $subject->terms,
                ],
                $subjects,
            ),
        ]));

        return 0;
    }

    /**
     * @param list<Test>       $tests
     * @param list<Definition> $subjects
     */
    private static function text(array $tests, array $subjects): string
    {
        $lines = ['Tests (* in the quick profile):'];
        foreach ($tests as $test) {
            $lines[] = \sprintf(
                '  %-22s%s %s: %s',
                $test->name,
                $test->quick === [] ? ' ' : '*',
                $test->title,
                $test->work,
            );
        }
        array_push($lines, '', 'Subjects (id@2: on two servers, id#2: the same under another name):');
        foreach ($subjects as $subject) {
            $missing = $subject->missing();
            $lines[] = \sprintf(
                '  %-24s%s%s',
                $subject->id,
                $subject->title,
                $missing === [] ? '' : ' (PHP has no extension ' . implode(', ', $missing) . ')',
            );
        }

        return implode("\n", $lines);
    }
}
