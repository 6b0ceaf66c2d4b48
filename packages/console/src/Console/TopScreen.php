<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Metrics\Printable;
use Larder\Page\Sample;

/**
 * What `larder top` shows of a sample.
 *
 * @internal
 */
final readonly class TopScreen
{
    /** Results of requests for pages, in the order in which they are shown. */
    private const RESULTS = ['hit', 'hit_in_php', 'stale', 'stored', 'changed', 'refused', 'wait_in_vain', 'bypass'];

    /** Names of a change that are shown. */
    private const NAMES = 3;

    /**
     * @param Sample|null $before null: there are no rates
     *
     * @return list<string>
     */
    public static function lines(Sample $now, ?Sample $before): array
    {
        $rates = $now->rates($before);
        $row = static fn(string $words, int|float $count, string $series): string
            => \sprintf('  %-42s %12d %10s', $words, $count, isset($rates[$series]) ? $rates[$series] . '/s' : '');
        $rate = $now->hitRate();
        $lines = [\sprintf(
            '%s   pages %d, %s of %s KB%s%s',
            gmdate('H:i:s\Z', (int) $now->at),
            $now->gauges['larder_pages'] ?? 0,
            intdiv($now->gauges['larder_page_bytes'] ?? 0, 1024),
            intdiv($now->gauges['larder_page_bytes_limit'] ?? 0, 1024),
            $rate === null ? '' : \sprintf('   hit rate %.2f %%', 100 * $rate),
            $now->ledgerFailed === '' ? '' : '   THE LEDGER DOES NOT ANSWER: ' . self::shown($now->ledgerFailed),
        ), ''];
        foreach (self::RESULTS as $result) {
            $series = "larder_page_requests_total{result=\"$result\"}";
            $lines[] = $row('pages: ' . strtr($result, '_', ' '), $now->pages()->of($result), $series);
        }
        $gone = $now->gone($before);
        $goneRate = $gone === null ? '' : $gone . '/s';
        $lines[] = \sprintf('  %-42s %12s %10s', 'pages gone: changed, displaced, expired', '', $goneRate);
        foreach (['render' => 'renders', 'wait' => 'waits for a render'] as $what => $words) {
            $times = (int) $now->sum("larder_page_{$what}_duration_seconds_count");
            if ($times > 0) {
                $mean = 1000 * $now->sum("larder_page_{$what}_duration_seconds_sum") / $times;
                $text = \sprintf('%s, %.1f ms each', $words, $mean);
                $lines[] = $row($text, $times, "larder_page_{$what}_duration_seconds_count");
            }
        }
        foreach ([
            'larder_page_refusals_total' => 'refused:',
            'larder_changes_total' => 'changes:',
            'larder_pages_dropped_total' => 'pages dropped:',
            'larder_page_flushes_total' => 'all pages dropped',
        ] as $name => $words) {
            foreach (self::of($now->counts, $name) as $series => $count) {
                preg_match_all('/="([^"]*)"/', $series, $labels);
                $told = implode(' ', array_diff([$words, ...$labels[1]], ['']));
                $lines[] = $row(self::shown($told), $count, $series);
            }
        }
        foreach (Sample::withoutBuckets($now->counts) as $series => $count) {
            if (preg_match('/^larder_(cache|store)_(.*?)(?:_total)?(?:\{(.*)\})?$/D', $series, $found) === 1
                && !str_contains($found[2], 'duration')) {
                preg_match_all('/="([^"]*)"/', $found[3] ?? '', $labels);
                $kind = $found[1] === 'cache' ? 'values' : 'servers';
                $words = [$kind . ':', strtr($found[2], '_', ' '), ...$labels[1]];
                $lines[] = $row(self::shown(implode(' ', $words)), $count, $series);
            }
        }
        foreach ($now->gauges as $series => $number) {
            if (str_starts_with($series, 'larder_memory_')) {
                $lines[] = $row('memory: ' . strtr(substr($series, 14), ['_total' => '', '"' => '']), $number, '');
            }
        }
        foreach ($now->servers as $server) {
            $lines[] = '  memcached ' . self::shown($server->line());
        }
        foreach ($now->stores as $server => $told) {
            $lines[] = '  ' . self::shown($told->answers()
                ? \sprintf('values on %s: %s, %d items', $server, $told->version, $told->items ?? 0)
                : \sprintf('values on %s: DOWN: %s', $server, $told->failure));
        }
        if ($now->answers === false) {
            $lines[] = '  THE STORE OF VALUES DOES NOT ANSWER: larder doctor asks it why';
        }
        $lines[] = '';
        foreach ($now->refusals as $refusal) {
            $lines[] = '  ' . self::shown(\sprintf(
                '%s not stored %d s ago: %s',
                $refusal['page'],
                max(0, (int) $now->at - $refusal['at']),
                $refusal['reason'],
            ));
        }

        foreach ($now->changes as $change) {
            $pages = $change['pages'] === null ? null : \count($change['pages']) + $change['more_pages'];
            $lines[] = '  ' . self::shown(\sprintf(
                'changed %d s ago by %s: %s: %s',
                max(0, (int) ($now->at - $change['at'])),
                $change['by'],
                implode(', ', \array_slice([...$change['names'], $change['cause']], 0, self::NAMES)),
                $pages === null ? 'all pages dropped' : \sprintf('%d pages dropped', $pages),
            ));
        }

        return $lines;
    }

    /**
     * @param array<string, int|float> $counts
     *
     * @return array<string, int|float> the series of one name
     */
    private static function of(array $counts, string $name): array
    {
        return array_filter(
            $counts,
            static fn(string $series): bool => $series === $name || str_starts_with($series, $name . '{'),
            ARRAY_FILTER_USE_KEY,
        );
    }

    /** What visitors and servers chose is in some texts, and must not move the cursor. */
    private static function shown(string $text): string
    {
        return Printable::line($text);
    }
}
