<?php

declare(strict_types=1);

namespace Larder\Metrics;

use ValueError;

/**
 * Counters in Prometheus' text format 0.0.4, for a page that Prometheus reads.
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
final readonly class PrometheusText
{
    public const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

    private const STORE = ['store' => []];

    /** Larder's own, by name: the type, what it counts, and its labels with what their values mean. */
    private const FAMILIES = [
        'larder_cache_requests_total' => [
            'counter',
            'Requests for values, by what became of them.',
            self::STORE + ['result' => [
                'hit' => 'fresh',
                'stale' => 'old, and not made anew for this request',
                'refresh' => 'made anew before it was gone',
                'miss' => 'not there',
            ]],
        ],
        'larder_cache_compute_duration_seconds' => ['histogram', 'Runs of a compute.', self::STORE],
        'larder_cache_failed_refreshes_total' => [
            'counter',
            'Computes that failed after the response, and left the old value.',
            self::STORE,
        ],
        'larder_cache_waits_total' => ['counter', 'Waits for a value that another process made.', self::STORE],
        'larder_cache_waits_in_vain_total' => ['counter', 'Those that ended without a value.', self::STORE],
        'larder_cache_crossing_waits_total' => [
            'counter',
            'Values that a process made itself since it would have waited for itself.',
            self::STORE,
        ],
        'larder_cache_refused_waits_total' => [
            'counter',
            'Waits that were none, since too many processes of the host waited.',
            self::STORE,
        ],
        'larder_cache_unstored_total' => [
            'counter',
            'Values that were made and not stored, by why.',
            self::STORE + ['cause' => [
                'changing' => 'what it was made from was being changed',
                'changed' => 'what it was made from changed meanwhile',
                'in_transaction' => 'it was made inside a transaction',
                'old_snapshot' => 'a statement that was not read to its end kept an old snapshot',
                'unknown_snapshot' => 'nothing was known of the connection its data came by',
                'told_late' => 'its names were told too late',
                'statement' => 'a statement that made it did not allow it',
                'failed' => 'a statement that made it failed',
                'no_versions' => 'the versions of its names could not be read',
                'joined' => 'it contains one that was made without a lease',
                'not_kept' => 'it had no ttl left',
                'refused' => 'the store did not take it: too large, no room, or no answer',
                'unanswered' => 'it was made without the store, which did not answer',
                'lost_lease' => 'making it took longer than the lease',
            ]],
        ],
        'larder_cache_clocks_apart_total' => [
            'counter',
            'Values stamped by a clock that differs from that of the reader.',
            self::STORE,
        ],
        'larder_store_failures_total' => [
            'counter',
            'Calls to servers that failed, and reads of values that cannot be read, by why.',
            [
                'store' => [],
                'cause' => [
                    'down' => 'not sent, because the server failed shortly before',
                    'unresolved' => 'no address was found for the name of the server',
                    'unreachable' => 'ended without a connection',
                    'timed_out' => 'the deadline passed',
                    'closed' => 'the server closed the connection before it answered',
                    'out_of_step' => 'the reply could not be proven to belong to the request',
                    'denied' => 'refused for the user, the password or the certificate',
                    'too_large' => 'the value was larger than the server takes',
                    'no_memory' => 'the server had no memory for the value',
                    'server_error' => 'the server said that it failed',
                    'not_understood' => 'the server did not understand the call',
                    'contended' => 'others wrote first, each time',
                    'unreadable' => 'the value was damaged or of an unknown format',
                    'class_gone' => 'the class, enum or case of the value is not there any more',
                    'class_refused' => 'the value is of a class that $objects does not list',
                    'class_changed' => 'the class of the value does not take it any more',
                    'unsealed' => 'of a sealed store: the value was not sealed',
                    'seal_key_unknown' => 'of a sealed store: the value was sealed by a key that is not in the list',
                    'seal_cipher_gone' => 'of a sealed store: the PHP extension of the cipher is not loaded',
                    'seal_broken' => 'of a sealed store: the value was changed, or belongs to another key or namespace',
                    'emptied' => 'of Redis: it may have older data than it had, so all values are made anew',
                    'replica' => 'of Redis: the server is a replica',
                    'busy' => 'of Redis: the client of the application was in the middle of something else',
                    'unanswered' => 'of a tiered store: the far store did not answer a read',
                ],
            ],
        ],
        'larder_page_requests_total' => [
            'counter',
            'Requests for pages, by what became of them.',
            ['result' => [
                'hit' => 'nginx had the page; only with its log of hits',
                'hit_in_php' => 'PHP found the page, which another request had just stored',
                'stale' => 'PHP sent the page of before a change, which another request makes anew',
                'stored' => 'rendered and stored',
                'changed' => 'rendered and not stored, because what was read changed meanwhile',
                'refused' => 'rendered and not stored for another reason: `larder explain` tells it',
                'wait_in_vain' => 'waited for the render of another request, then rendered without storing',
                'bypass' => 'no page could be stored to begin with',
            ]],
        ],
        'larder_page_render_duration_seconds' => [
            'histogram',
            'Renders of pages that could be stored, with storing them.',
            ['route' => []],
        ],
        'larder_page_wait_duration_seconds' => [
            'histogram',
            'Waits of requests for a page that another one was rendering.',
            [],
        ],
        'larder_page_refusals_total' => [
            'counter',
            'Pages that were sent and not stored, by why: `larder explain` tells the reason of one.',
            ['cause' => [
                'controller' => 'its controller has no #[Reads], or is not in the list',
                'deploy' => 'no release is deployed, or another one',
                'output' => 'output was flushed, or came beside the page',
                'status' => 'the status is none of a page, or the body is empty',
                'size' => 'it is too large',
                'cookie' => 'it sets a cookie, or started a session',
                'header' => 'it has a header that nginx cannot repeat, or Cache-Control forbids it',
                'type' => 'its Content-Type is another one than that of its area',
                'undeclared' => 'it read a table that was not declared',
                'request' => 'it read of the request what its key does not hold',
                'statement' => 'a statement, a transaction or a value that it read did not allow it',
                'failed' => 'a statement failed, or a value was not made in time',
                'clock' => 'it shows the time, or chance',
                'ended' => 'the script ended inside the render',
                'room' => 'the page store is full',
                'store' => 'the page store or the ledger failed',
                'other' => 'another reason',
            ]],
        ],
        'larder_changes_total' => [
            'counter',
            'Changes that were made known before their COMMIT, by table; one of several tables counts for each.',
            ['table' => []],
        ],
        'larder_pages_dropped_total' => [
            'counter',
            'Pages that were dropped, by why.',
            [
                'cause' => [
                    'rows' => 'what they were made from changed',
                    'bulk' => 'many or unknown rows of a table changed',
                    'room' => 'no change: they made room, or their time was over',
                ],
                'table' => [],
            ],
        ],
        'larder_page_flushes_total' => ['counter', 'Times that all pages went: a deploy, a flush, a new schema.', []],
        'larder_edge_purges_total' => [
            'counter',
            'Purges at the edge, by what became of them.',
            ['result' => [
                'done' => 'all edges have dropped what they should',
                'failed' => 'not all have: the next purge, or `larder purge`, tries it again',
            ]],
        ],
        'larder_session_refusals_total' => [
            'counter',
            'Sessions that were not opened or not written, by why.',
            ['cause' => [
                'bad_id' => 'the id is none that PHP makes',
                'busy' => 'another request had it for longer than this one may wait',
                'unanswered' => 'the store did not answer, or has no room for a lease',
                'late' => 'its lease was over, or it was written or destroyed meanwhile',
                'unstored' => 'the store is full, it is too large, or no answer came',
            ]],
        ],
        'larder_follow_up' => [
            'gauge',
            'Whether the follower runs, did not fail last, and has given a sign within maxLag: 1 or 0.',
            [],
        ],
        'larder_follow_lag_seconds' => [
            'gauge',
            'From a sign of the follower in the database to when what was before it in the log had ended.',
            [],
        ],
        'larder_follow_sign_age_seconds' => ['gauge', 'Since the last such sign; beyond maxLag no row is given.', []],
        'larder_follow_position_bytes' => ['gauge', 'Place in the log up to which all has ended.', ['file' => []]],
        'larder_follow_work_total' => ['counter', 'Times that what had gathered in the log ended together.', []],
        'larder_follow_rows_total' => ['counter', 'Changes of rows in the log, by whoever made them.', []],
        'larder_follow_names_total' => ['counter', 'Names of rows, sets and tables that the follower ended.', []],
        'larder_follow_everything_total' => ['counter', 'Times that it ended everything.', []],
        'larder_follow_failures_total' => ['counter', 'Times that it failed and began anew.', []],
        'larder_ledger_up' => ['gauge', 'Whether the ledger could be read: 1 or 0.', []],
        'larder_pages' => ['gauge', 'Pages in the page store.', []],
        'larder_page_bytes' => ['gauge', 'What they take.', []],
        'larder_page_bytes_limit' => ['gauge', 'What they may take: Limits::$bytes.', []],
        'larder_memory_bytes' => [
            'gauge',
            'Shared memory of this process, by use.',
            ['kind' => [
                'used' => 'by values',
                'limbo' => 'removed, but perhaps still read',
                'total' => 'used or not',
            ]],
        ],
        'larder_memory_entries' => ['gauge', 'Values in it.', []],
        'larder_memory_evictions_total' => ['counter', 'Values that it dropped for want of room.', []],
        'larder_memory_refused_total' => [
            'counter',
            'Values that it did not take.',
            ['cause' => ['large' => 'too large', 'full' => 'no room could be made']],
        ],
    ];

    /** @var array<string, string> by name */
    private array $help;

    /** @var array<array-key, string> */
    private array $labels;

    /**
     * @param array<array-key, string> $labels for each series that has none of that name, such as the host
     * @param array<string, string>    $help   by name, for what is not Larder's
     *
     * @throws ValueError for a name that no label may have
     */
    public function __construct(array $labels = [], array $help = [])
    {
        foreach (array_keys($labels) as $name) {
            if (preg_match('/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/D', (string) $name) !== 1) {
                throw new ValueError(\sprintf('"%s" cannot be the name of a label', $name));
            }
        }
        $this->labels = $labels;
        $this->help = $help + array_map(static fn(array $family): string => $family[1], self::FAMILIES);
    }

    /** @param array<string, int|float> $more further series, such as gauges: `name{label="value"}` */
    public function of(Counters $counters, array $more = []): string
    {
        /** @var array<string, array<string, int|float>> $families what to write, by name and series */
        $families = $helps = $types = [];
        foreach ([...$counters->all(), ...$more] as $series => $number) {
            [$name, $labels] = Series::parse($series);
            [$family, $type] = self::family($name);
            $shown = self::name($family);
            $types[$shown] ??= $type;
            $helps[$shown] ??= $this->help[$family] ?? null;
            // A series may stand in the text once, so two that the format cannot distinguish are one.
            $line = self::name($name) . Series::of('', $labels + $this->labels);
            $families[$shown][$line] = ($families[$shown][$line] ?? 0) + $number;
        }
        $text = '';
        foreach ($families as $name => $lines) {
            $help = $helps[$name] ?? null;
            $text .= $help === null ? '' : "# HELP $name " . strtr($help, ['\\' => '\\\\', "\n" => '\\n']) . "\n";
            $text .= "# TYPE $name {$types[$name]}\n";
            // Buckets must come in the order of their bounds, the infinite one last.
            uksort($lines, static fn(string $a, string $b): int
                => strnatcmp(str_replace('"+Inf"', '"~"', $a), str_replace('"+Inf"', '"~"', $b)));
            foreach ($lines as $line => $number) {
                $text .= $line . ' ' . json_encode($number, JSON_THROW_ON_ERROR) . "\n";
            }
        }

        return $text;
    }

    /**
     * All of Larder's, for the reference.
     *
     * @internal
     *
     * @return array<string, array{string, string, array<string, array<string, string>>}> by name: type, text, labels
     */
    public static function families(): array
    {
        return self::FAMILIES;
    }

    /** @return array{string, string} the name without what a histogram adds to it, and the type */
    private static function family(string $name): array
    {
        $histogram = (string) preg_replace('/_seconds_(?:bucket|count|sum)$/D', '_seconds', $name);

        return $histogram === $name
            ? [$name, self::FAMILIES[$name][0] ?? 'counter']
            : [$histogram, 'histogram'];
    }

    private static function name(string $name): string
    {
        $name = (string) preg_replace('/[^a-zA-Z0-9_:]/', '_', $name);

        return preg_match('/^[a-zA-Z_:]/', $name) === 1 ? $name : '_' . $name;
    }
}
