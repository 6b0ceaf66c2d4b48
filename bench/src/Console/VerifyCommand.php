<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\DocumentFile;
use Opis\JsonSchema\Errors\ErrorFormatter;
use Opis\JsonSchema\Validator;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('verify', 'Checks a result file: its form, its sums, and whether its run can be relied on')]
final class VerifyCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addArgument('file', InputArgument::REQUIRED, 'Result file of <info>run</info>');
        $this->addFormat();
        $this->setHelp(
            'Exit code: 0 if the file is sound, 1 if it is not. Whether its A/A check held is told, and no fault of '
                . 'the file.',
        );
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $file = self::argument($input, 'file');
        $faults = self::schemaFaults($file);
        $text = '';
        $facts = [];
        try {
            $document = DocumentFile::load($file);
            $faults = [...$faults, ...self::faults($document)];
            $cells = array_sum(
                array_map(
                    static fn(\Larder\Bench\Result\Chart $chart): int => \count($chart->cells),
                    $document->charts,
                ),
            );
            $reliable = match ($document->isReliable()) {
                true => 'held',
                false => 'DID NOT HOLD: the figures cannot be relied on',
                null => 'is not in it',
            };
            $facts = [
                'complete' => $document->complete,
                'charts' => \count($document->charts),
                'cells' => $cells,
                'failed or wrong' => \count($document->faults()),
                'A/A check' => $reliable,
            ];
            $text = \sprintf(
                '%d charts, %d cells, %d of them failed or wrong%s. The A/A check %s.',
                \count($document->charts),
                $cells,
                \count($document->faults()),
                $document->complete ? '' : '; the run was interrupted',
                $reliable,
            );
        } catch (UsageError $exception) {
            $faults[] = $exception->getMessage();
        }
        $this->print(
            $input,
            $output,
            static fn(): string => implode(
                "\n",
                $faults === [] ? ['Sound. ' . $text] : ['Not sound.', ...array_unique($faults)],
            ),
            static fn(): string => self::json([
                'sound' => $faults === [],
                'faults' => array_values(array_unique($faults)),
                ...$facts,
            ]),
        );

        return $faults === [] ? 0 : 1;
    }

    /** @return list<string> */
    private static function schemaFaults(string $file): array
    {
        $text = @file_get_contents($file);
        $schema = file_get_contents(\dirname(__DIR__, 2) . '/schema/result-2.json');
        if ($text === false || $schema === false) {
            throw UsageError::unreadable($file);
        }
        $error = (new Validator(max_errors: 20))->validate(json_decode($text), $schema)->error();
        if ($error === null) {
            return [];
        }
        $faults = [];
        foreach ((new ErrorFormatter())->formatFlat(
            $error,
            static fn(\Opis\JsonSchema\Errors\ValidationError $one): string => \sprintf(
                '/%s: %s',
                implode('/', $one->data()->fullPath()),
                (new ErrorFormatter())->formatErrorMessage($one),
            ),
        ) as $fault) {
            $faults[] = \is_string($fault) ? $fault : 'does not follow the schema';
        }

        return $faults;
    }

    /**
     * What a result must hold beyond its form: every figure has its origin, and sums are sums.
     *
     * @return list<string> a sentence each
     */
    private static function faults(Document $document): array
    {
        $faults = [];
        $charts = [];
        foreach ($document->charts as $chart) {
            if (isset($charts[$chart->id])) {
                $faults[] = \sprintf('The chart %s is there twice.', $chart->id);
            }
            $charts[$chart->id] = true;
            $cells = [];
            foreach ($chart->cells as $cell) {
                if (isset($cells[$cell->subject])) {
                    $faults[] = \sprintf('%s has %s twice.', $chart->id, $cell->subject);
                }
                $cells[$cell->subject] = true;
                if ($document->sheet($cell->subject) === null) {
                    $faults[] = \sprintf('%s has no fairness sheet.', $cell->subject);
                }
                $faults = [...$faults, ...self::cellFaults($chart, $cell)];
            }
        }

        return array_values(array_unique($faults));
    }

    /** @return list<string> */
    private static function cellFaults(Chart $chart, Cell $cell): array
    {
        $name = \sprintf('%s of %s', $cell->subject, $chart->id);
        $faults = [];
        if ($cell->state === CellState::Measured && $cell->windows === []) {
            $faults[] = $name . ' counts as measured and has no window.';
        }
        if ($cell->state !== CellState::Measured && $cell->error === null) {
            $faults[] = \sprintf('%s is %s and does not say why.', $name, $cell->state->value);
        }
        $blocks = [];
        foreach ($cell->windows as $window) {
            if (isset($blocks[$window->block])) {
                $faults[] = \sprintf('%s has two windows in block %d.', $name, $window->block);
            }
            $blocks[$window->block] = true;
            if (array_sum($window->workers) !== $window->operations) {
                $faults[] = \sprintf(
                    '%s: the workers of block %d did %d operations, not %d.',
                    $name,
                    $window->block,
                    array_sum($window->workers),
                    $window->operations,
                );
            }
            if ($window->slices !== [] && array_sum($window->slices) > $window->operations) {
                $faults[] = \sprintf(
                    '%s: the slices of block %d hold more than its operations.',
                    $name,
                    $window->block,
                );
            }
        }

        return $faults;
    }
}
