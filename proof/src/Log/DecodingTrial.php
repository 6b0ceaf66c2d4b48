<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\LogEvent;
use Larder\Follow\PostgreSql\TestDecoding;
use Larder\Follow\RowChange;

/**
 * Gives a text to the parser of what test_decoding says.
 *
 * Of a whole one it has to give exactly what was written. Of a damaged one it gives something that ends, unless the
 * text says by its beginning that it is no change.
 */
final readonly class DecodingTrial
{
    private const ROOM = 200_000;

    /**
     * @param list<LogEvent> $written
     *
     * @return string|null what is wrong
     */
    public function run(string $text, array $written, Damage $damage): ?string
    {
        $before = memory_get_usage();
        memory_reset_peak_usage();
        $events = TestDecoding::read($text);
        if (memory_get_peak_usage() - $before > self::ROOM + 60 * \strlen($text)) {
            return 'it took ' . (memory_get_peak_usage() - $before) . ' bytes for ' . \strlen($text);
        }
        if ($damage === Damage::None) {
            return serialize($events) === serialize($written) ? null : 'a whole text says something else';
        }
        $isNothing = preg_match('/^(?:BEGIN|COMMIT)(?: \d+)?$|^message: /D', $text) === 1;
        if (($events === []) !== $isNothing) {
            return 'a change is missed';
        }
        foreach ($events as $event) {
            if (!$event instanceof BulkChange && (!$event instanceof RowChange
                || ($event->before ?? []) + ($event->after ?? []) === [])) {
                return 'a change without a column';
            }
        }

        return null;
    }
}
