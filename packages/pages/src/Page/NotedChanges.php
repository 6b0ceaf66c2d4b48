<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\Name;
use Larder\Metrics\Counters;
use Larder\Sql\Ledger\AnnouncedChange;

/**
 * Counts the changes that a ledger makes known, and what they dropped, once they are committed.
 *
 * @internal for Site
 */
final readonly class NotedChanges
{
    /** The table of what dropped pages by a change of more than one. */
    private const SEVERAL = 'several';

    /** @param Closure(): Counters $counters opened for the first change */
    public function __construct(private ChangeLog $log, private Closure $counters) {}

    /** @return Closure(): void to run after COMMIT */
    public function of(AnnouncedChange $change): Closure
    {
        return function () use ($change): void {
            $this->log->note($change, self::by($_SERVER));
            $counters = ($this->counters)();
            $tables = array_values(array_unique(array_filter(
                array_map(static fn(Name $name): string => $name->table, $change->names),
                static fn(string $table): bool => $table !== '',
            )));
            foreach ($tables as $table) {
                $counters->add('larder_changes_total', labels: ['table' => $table]);
            }
            if ($change->dropped === null) {
                $counters->add('larder_page_flushes_total');
            } elseif ($change->dropped !== []) {
                $counters->add('larder_pages_dropped_total', \count($change->dropped), [
                    'cause' => ChangeLog::cause($change),
                    'table' => \count($tables) > 1 ? self::SEVERAL : $tables[0] ?? '',
                ]);
            }
        };
    }

    /**
     * The request without its query, or the script.
     *
     * @param array<array-key, mixed> $server
     */
    private static function by(array $server): string
    {
        $text = static fn(mixed $value): string => \is_string($value) ? $value : '';
        $method = $text($server['REQUEST_METHOD'] ?? null);
        if ($method !== '') {
            return $method . ' ' . explode('?', $text($server['REQUEST_URI'] ?? null), 2)[0];
        }
        $words = \is_array($server['argv'] ?? null) ? array_values($server['argv']) : [];
        $script = basename($text($words[0] ?? null));
        $command = $text($words[1] ?? null);

        // Of other scripts' arguments nobody knows what may be shown.
        return $script === 'larder' && preg_match('/^[a-z][a-z:-]*$/D', $command) === 1 ? "larder $command" : $script;
    }
}
