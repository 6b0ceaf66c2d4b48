<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** What must be said of a run before any of its figures. */
final readonly class Summary
{
    /** Whether the run came to its end. */
    public static function completeness(Document $document): string
    {
        return $document->complete
            ? 'The run is complete.'
            : 'INTERRUPTED: the run was ended before its time and holds only what was finished until then.';
    }

    /** What came of measuring the same client twice under two names. */
    public static function check(Document $document): string
    {
        $twins = $document->twins();
        $pairs = implode(
            '; ',
            array_map(
                static fn(array $twin): string => \sprintf('%s %s', $twin[1]->subject, Figures::comparison($twin[2])),
                \array_slice($twins, 0, 4),
            ),
        )
            . (\count($twins) > 4 ? \sprintf('; %d more', \count($twins) - 4) : '');

        return match ($document->isReliable()) {
            null => 'A/A check: none in this run, so nothing shows whether its intervals can be trusted.',
            true => \sprintf(
                'A/A check: held. One client was measured twice under two names, and the whole interval of the ratio '
                    . 'lies within 5 %% of 1: %s.',
                $pairs,
            ),
            false => \sprintf(
                'A/A check: FAILED, this run is too noisy to say. One client was measured twice under two names, and '
                    . 'the interval of the ratio goes beyond 5 %% of 1: %s.',
                $pairs,
            ),
        };
    }

    /**
     * How much of a chart's replies was checked, of those of its subjects that are no floor: "Checked: every reply."
     */
    public static function coverage(Chart $chart): string
    {
        $groups = [];
        foreach ($chart->cells as $cell) {
            $coverage = $cell->isMeasured() ? $cell->coverage : null;
            if ($coverage !== null && $coverage->checked > 0) {
                $groups[$coverage->how][] = $coverage;
            }
        }
        $sentences = [];
        foreach ($groups as $coverages) {
            usort(
                $coverages,
                static fn(
                    Coverage $one,
                    Coverage $other,
                ): int => $one->replies * $other->checked <=> $other->replies * $one->checked,
            );
            $densest = $coverages[0];
            $sparsest = $coverages[\count($coverages) - 1];
            $sentences[] = $sparsest->sentence()
                . (
                    $densest->sentence() === $sparsest->sentence()
                        ? ''
                        : \sprintf(' (of one subject %s)', $densest->share())
                );
        }

        return $sentences === []
            ? 'Checked: the run does not say.'
            : \sprintf('Checked: %s.', implode('; ', $sentences));
    }

    /**
     * Of how many operations the latencies are, for a label: "", "of 50 at once", "means over steps of 32 to 16,384".
     */
    public static function latencyOf(Chart $chart): string
    {
        $steps = array_map(
            static fn(Cell $cell): float => $cell->latencyOf,
            array_values(array_filter($chart->cells, static fn(Cell $cell): bool => $cell->isMeasured())),
        );
        if ($steps === [] || max($steps) < 1.01) {
            return '';
        }
        $least = number_format(min($steps));
        $most = number_format(max($steps));

        return \sprintf(
            'of one of the %s: means over steps of %s',
            $chart->unit,
            $least === $most ? $least : $least . ' to ' . $most,
        );
    }

    /** Whether every reply of every subject that is no floor was checked. */
    public static function isAllChecked(Document $document): bool
    {
        foreach ($document->charts as $chart) {
            foreach ($chart->cells as $cell) {
                $isChecked = ($document->sheet($cell->subject)?->role->isChecked() ?? true);
                if ($cell->isMeasured() && $isChecked && $cell->coverage?->isEvery() !== true) {
                    return false;
                }
            }
        }

        return true;
    }

    /** @return array<string, int> cells by state */
    public static function cells(Document $document): array
    {
        $cells = [];
        foreach (CellState::cases() as $state) {
            $cells[$state->value] = 0;
        }
        foreach ($document->charts as $chart) {
            foreach ($chart->cells as $cell) {
                ++$cells[$cell->state->value];
            }
        }

        return $cells;
    }

    /** "1 failed, 2 wrong" */
    public static function faultsByState(Document $document): string
    {
        $cells = self::cells($document);

        return implode(', ', array_filter([
            $cells['failed'] === 0 ? null : $cells['failed'] . ' failed',
            $cells['wrong'] === 0 ? null : $cells['wrong'] . ' wrong',
        ], is_string(...)));
    }

    /** A value of the environment by its path, "machine.cpu"; null where the run did not tell. */
    public static function environment(Document $document, string $path): ?string
    {
        $value = $document->environment;
        foreach (explode('.', $path) as $name) {
            $value = \is_array($value) ? $value[$name] ?? null : null;
        }

        return \is_scalar($value) ? (string) $value : null;
    }
}
