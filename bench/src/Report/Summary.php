<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\CellState;
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
        $pairs = implode('; ', array_map(static fn(array $twin): string => \sprintf('%s %s', $twin[1]->subject, Figures::comparison($twin[2])), \array_slice($twins, 0, 4)))
            . (\count($twins) > 4 ? \sprintf('; %d more', \count($twins) - 4) : '');

        return match ($document->isReliable()) {
            null => 'A/A check: none in this run, so nothing shows whether its intervals can be trusted.',
            true => \sprintf('A/A check: held. The interval of one client against itself, under a second name, meets 1 +- 2 %%: %s. The wider it is, the less that says.', $pairs),
            false => \sprintf('A/A check: UNRELIABLE. The interval of one client against itself, under a second name, lies outside 1 +- 2 %%, so no other difference here means anything: %s.', $pairs),
        };
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
