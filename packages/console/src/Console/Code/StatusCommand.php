<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Head;
use Larder\Code\PoolKeys;
use Larder\Code\ReleaseFile;
use Larder\Code\Releases;
use Larder\Console\CommandAnswer;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal */
#[AsCommand('code:status', 'Tells which releases lie on this host, and which is the newest in the pool')]
final class StatusCommand extends CodeCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->needs('root', 'pool', 'name', 'key')
            ->addOption('verify', null, InputOption::VALUE_NONE, 'Compare the files that are served with the release')
            ->setHelp(
                'The pool is asked if --pool, --name and --key are known. Exit code 1 if the pool has nothing that may '
                    . "be pulled, or a file differs.\n\n"
                    . 'Example: <info>larder code:status --root=/srv/shop --verify</info>',
            );
    }

    protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer
    {
        $releases = self::releases($input);
        $current = $releases->current();
        $state = $releases->state();
        $rows = $lines = [];
        foreach ($releases->all() as $id) {
            $head = $releases->head($id);
            $rows[] = [
                'release' => $id,
                'number' => $head?->number,
                'made' => $head?->made,
                'current' => $id === $current,
                'withdrawn' => \in_array($id, $state->withdrawn, true),
            ];
            $lines[] = \sprintf(
                '%s %s%s%s',
                $id === $current ? '*' : ' ',
                $id,
                $head === null ? '' : ', pushed ' . gmdate('Y-m-d H:i:s\Z', $head->made),
                \in_array($id, $state->withdrawn, true) ? ', rolled back' : '',
            );
        }
        $lines = $lines === [] ? ["No release lies in {$releases->directory}"] : $lines;
        [$newest, $failure] = self::newest($input);
        if ($newest !== null) {
            $lines[] = \sprintf(
                'In the pool: %s%s',
                $newest->release,
                $releases->has($newest->release) ? '' : ', which is not here: run larder code:pull',
            );
        }
        $lines = $failure === null ? $lines : [...$lines, $failure];
        $differing = $input->getOption('verify') === true && $current !== null
            ? self::differing($releases, $current)
            : [];
        $values = [
            'current' => $current,
            'releases' => $rows,
            'pool' => $newest === null ? null : ['release' => $newest->release, 'number' => $newest->number],
            'pool_error' => $failure,
            'differing' => $differing,
        ];
        foreach ($differing as $path) {
            $lines[] = "$path differs from the release";
        }

        return new CommandAnswer(
            $values,
            $lines,
            $failure === null && $differing === [] ? self::SUCCESS : self::FAILURE,
        );
    }

    /** @return array{Head|null, string|null} and what is wrong with it */
    private static function newest(InputInterface $input): array
    {
        if (
            self::given($input, 'pool') === null
            || self::given($input, 'name') === null
            || self::given($input, 'key') === null
        ) {
            return [null, null];
        }
        $name = self::required($input, 'name');
        $keys = new PoolKeys($name);
        try {
            $signed = self::pool($input)->fetch([$keys->head()])[$keys->head()] ?? null;

            return $signed === null
                ? [null, "There is no release of \"$name\" in the pool"]
                : [Head::open($signed, self::key($input), $name), null];
        } catch (CodePoolFailed|CodeRefused $failure) {
            return [null, $failure->getMessage()];
        }
    }

    /** @return list<string> the paths of files that are not as they were laid down */
    private static function differing(Releases $releases, string $id): array
    {
        $root = $releases->path($id);
        $differs = static fn(ReleaseFile $file): bool => $file->target === null
            ? @hash_file('sha256', "$root/{$file->path}") !== $file->hash
            : @readlink("$root/{$file->path}") !== $file->target;
        $found = array_filter($releases->manifest($id)->files, $differs);

        return array_values(array_map(static fn(ReleaseFile $file): string => $file->path, $found));
    }
}
