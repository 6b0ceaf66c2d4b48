<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\LogEvent;

/** A text of `mariadb-binlog`, with what it says. */
final readonly class PrintedLog
{
    /** The file that a log begins with. */
    public const FILE = 'log.000001';

    /**
     * @param array<string, int>       $tails        where in the text an event begins, by the file and the end of the
     *     event before it: there the program goes on if it is begun anew
     * @param list<WrittenTransaction> $transactions
     * @param bool                     $isExact      whether the parser has to give these changes and nothing else
     */
    public function __construct(
        public string $text,
        public array $tails,
        public array $transactions,
        public bool $isExact,
    ) {}

    /** @return list<LogEvent> what the parser has to give */
    public function events(): array
    {
        $events = [];
        foreach ($this->transactions as $transaction) {
            array_push($events, ...$transaction->changes, ...[$transaction->end]);
        }

        return $events;
    }

    /** @param list<LogEvent> $events */
    public static function image(array $events): string
    {
        return serialize(array_map(
            static fn(LogEvent $event): LogEvent => $event instanceof BulkChange && $event->table === null
                ? BulkChange::ofAll('')
                : $event,
            $events,
        ));
    }
}
