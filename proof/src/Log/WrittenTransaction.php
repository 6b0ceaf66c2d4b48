<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\LogEvent;
use Larder\Follow\RowChange;

/** One transaction of a log: what it changed, and where it ends. */
final readonly class WrittenTransaction
{
    /** @param list<LogEvent> $changes */
    public function __construct(
        public array $changes,
        public Committed $end,
    ) {}

    /**
     * @param list<LogEvent> $events that a parser gave of it
     *
     * @return LogEvent|null a change that these events do not end; null: there is none
     */
    public function missedBy(array $events): ?LogEvent
    {
        foreach ($events as $event) {
            if ($event instanceof BulkChange && $event->table === null) {
                return null;
            }
        }
        foreach ($this->changes as $change) {
            foreach ($events as $event) {
                if (self::ends($event, $change)) {
                    continue 2;
                }
            }

            return $change;
        }

        return null;
    }

    private static function ends(LogEvent $event, LogEvent $change): bool
    {
        if ($event instanceof BulkChange) {
            return ($change instanceof RowChange || $change instanceof BulkChange)
                && $event->schema === $change->schema && $event->table === $change->table;
        }

        return $event instanceof RowChange && $change instanceof RowChange
            && [$event->schema, $event->table, $event->came] === [$change->schema, $change->table, $change->came]
            && self::isPartOf($event->before, $change->before) && self::isPartOf($event->after, $change->after);
    }

    /**
     * What a row lacks is not certain, and ends its table.
     *
     * @param array<int|string, string|false|null>|null $image
     * @param array<int|string, string|false|null>|null $of
     */
    private static function isPartOf(?array $image, ?array $of): bool
    {
        if ($image === null || $of === null) {
            return $image === $of;
        }
        foreach ($image as $column => $value) {
            if ($value !== false && (!\array_key_exists($column, $of) || $of[$column] !== $value)) {
                return false;
            }
        }

        return true;
    }
}
