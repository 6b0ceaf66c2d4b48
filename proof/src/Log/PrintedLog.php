<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\LogEvent;
use Larder\Follow\MariaDb\BinlogParser;
use Larder\Follow\Position;

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

    /** A log of a real server, taken for what the parser says of it. */
    public static function captured(string $text): self
    {
        $parser = new BinlogParser(new Position(self::FILE, 4));
        $changes = $transactions = [];
        foreach ($parser->feed($text) as $event) {
            if ($event instanceof Committed) {
                $transactions[] = new WrittenTransaction($changes, $event);
                $changes = [];
            } else {
                $changes[] = $event;
            }
        }
        $tails = [];
        $file = self::FILE;
        $ends = '/^#\d{6} .* end_log_pos (\d+) (?:CRC32 \S+ )?\t(?:Rotate to (\S+)  pos: 4)?[^\n]*\n'
            . '(?:[^#\n].*\n|###.*\n|# Number.*\n|\n)*+(?=# at )/m';
        preg_match_all($ends, $text, $events, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
        foreach ($events as $found) {
            $file = $found[2][0] ?? $file;
            $tails["$file:{$found[1][0]}"] = $found[0][1] + \strlen($found[0][0]);
        }

        return new self($text, $tails, $transactions, $parser->restartAt() === null);
    }

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
