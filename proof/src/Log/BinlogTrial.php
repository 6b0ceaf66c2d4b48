<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\LogEvent;
use Larder\Follow\MariaDb\BinlogParser;
use Larder\Follow\Position;
use Larder\Tests\Support\Sql\Choices;

/**
 * Gives a text to the parser of MariaDB's log, in pieces, and begins the program anew where the parser wants it.
 *
 * Of a whole log it has to give exactly what was written. A damaged one may end in LogUnreadable, or end more. But up
 * to the last transaction that the parser says is over, each change has to be among what ends with its transaction.
 */
final readonly class BinlogTrial
{
    /** Bytes that a parser may take beside its events and its input. */
    private const ROOM = 400_000;

    public function __construct(private Choices $choices) {}

    /** @return string|null what is wrong */
    public function run(PrintedLog $log, string $text, Damage $damage): ?string
    {
        $before = memory_get_usage();
        memory_reset_peak_usage();
        try {
            [$events, $isWhole] = $this->events($log, $text);
        } catch (LogUnreadable) {
            return $damage === Damage::None ? 'a whole log is unreadable' : null;
        } catch (EndlessRestarts $exception) {
            return $exception->getMessage();
        }
        if (memory_get_peak_usage() - $before > self::ROOM + 60 * \strlen($text) + 20 * \strlen($log->text)) {
            return 'it took ' . (memory_get_peak_usage() - $before) . ' bytes for ' . \strlen($text);
        }
        if ($damage === Damage::None && $log->isExact
            && PrintedLog::image($events) !== PrintedLog::image($log->events())) {
            return 'a whole log says something else';
        }
        if ($damage === Damage::None && !$isWhole) {
            return 'the program cannot begin where the parser wants it';
        }

        return $damage === Damage::Random ? null : self::missed($log, $events, $damage->isSeen());
    }

    /** @return array{list<LogEvent>, bool} and whether the program could begin wherever the parser wanted it */
    private function events(PrintedLog $log, string $text): array
    {
        $parser = new BinlogParser(new Position(PrintedLog::FILE, 4));
        $events = [];
        for ($left = 3 + \count($log->tails); $left > 0; --$left) {
            foreach ($this->pieces($text) as $piece) {
                array_push($events, ...$parser->feed($piece));
                if ($parser->restartAt() !== null) {
                    break;
                }
            }
            if ($parser->restartAt() === null) {
                return [$events, true];
            }
            $at = $log->tails[$parser->file() . ':' . $parser->restartAt()] ?? null;
            if ($at === null) {
                return [$events, false];
            }
            $text = substr($log->text, $at);
            $parser->restarted();
        }

        throw EndlessRestarts::at($parser->file() . ':' . $parser->restartAt());
    }

    /** @return list<string> */
    private function pieces(string $text): array
    {
        $length = \strlen($text);
        if ($length < 2 || $this->choices->happens(60)) {
            return [$text];
        }
        $at = $this->choices->number(1, $length - 1);

        return [substr($text, 0, $at), substr($text, $at)];
    }

    /**
     * @param list<LogEvent> $events
     * @param bool           $isSeen whether all was there, so that each change has to be right; else their number has
     */
    private static function missed(PrintedLog $log, array $events, bool $isSeen): ?string
    {
        $next = 0;
        $since = [];
        $wasRight = true;
        foreach ($events as $event) {
            if (!$event instanceof Committed) {
                $since[] = $event;
                continue;
            }
            $isRight = false;
            for (; $next < \count($log->transactions); ++$next) {
                $transaction = $log->transactions[$next];
                if (!$event->position->hasReached($transaction->end->position)) {
                    break;
                }
                $missed = $isSeen ? $transaction->missedBy($since) : null;
                if ($missed !== null) {
                    return 'a change is missed: ' . json_encode(
                        [$missed, $event->position->text()],
                        JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_UNICODE,
                    );
                }
                $isRight = $event->position->stored() === $transaction->end->position->stored();
                $written = \count($transaction->changes);
                if (!$isSeen && $wasRight && $isRight && $written > \count($since) && !self::hasBulk($since)) {
                    return "$written changes were written, and " . \count($since) . ' were read';
                }
            }
            $wasRight = $isRight;
            $since = [];
        }

        return null;
    }

    /** @param list<LogEvent> $events */
    private static function hasBulk(array $events): bool
    {
        foreach ($events as $event) {
            if ($event instanceof BulkChange) {
                return true;
            }
        }

        return false;
    }
}
