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

    /** The counters of Larder. */
    private const HELP = [
        'larder_cache_hits_total' => 'Values that were fresh.',
        'larder_cache_stale_total' => 'Old values that were handed out and not made anew for this request.',
        'larder_cache_refreshes_total' => 'Values that were made anew before they were gone.',
        'larder_cache_failed_refreshes_total' => 'Computes that failed after the response, and left the old value.',
        'larder_cache_misses_total' => 'Values that were not there.',
        'larder_cache_computes_total' => 'Runs of a compute.',
        'larder_cache_waits_total' => 'Waits for a value that another process made.',
        'larder_cache_waits_in_vain_total' => 'Waits that ended without a value.',
        'larder_cache_unstored_total' => 'Values that were made and not stored, for any of the following reasons.',
        'larder_cache_unstored_changing_total' => 'What they were made from was being changed.',
        'larder_cache_unstored_changed_total' => 'What they were made from changed meanwhile.',
        'larder_cache_unstored_in_transaction_total' => 'They were made inside a transaction.',
        'larder_cache_unstored_old_snapshot_total' => 'A statement that was not read to its end kept an old snapshot.',
        'larder_cache_unstored_unknown_snapshot_total' => 'Nothing was known of the connection their data came by.',
        'larder_cache_unstored_told_late_total' => 'Their names were told too late.',
        'larder_cache_unstored_statement_total' => 'A statement that made them did not allow it.',
        'larder_cache_unstored_no_versions_total' => 'The versions of their names could not be read.',
        'larder_cache_unstored_joined_total' => 'They contain one that was made without a lease.',
        'larder_cache_unstored_not_kept_total' => 'They had no ttl left.',
        'larder_cache_refused_total' => 'Values that the store did not take: too large, no room, or no answer.',
        'larder_cache_unanswered_total' => 'Values that were made without the store, which did not answer.',
        'larder_cache_lost_leases_total' => 'Values that were not stored because making them took longer than the '
            . 'lease.',
        'larder_cache_clocks_apart_total' => 'Values stamped by a clock that differs from that of the reader.',
        'larder_page_hits_in_php_total' => 'Pages that PHP found stored.',
        'larder_page_stores_total' => 'Pages stored.',
        'larder_page_stores_changed_total' => 'Pages that were not stored because what they were made from had '
            . 'changed meanwhile.',
        'larder_page_stores_refused_total' => 'Pages that were not stored for another reason.',
        'larder_page_waits_in_vain_total' => 'Waits for a page that ended without one.',
        'larder_page_bypasses_total' => 'Requests that no page may answer.',
        'tiered_unanswered_total' => 'Reads of a tiered store that its far store did not answer.',
    ];

    /** What happened to a call to a server; the counter's name begins with the kind of server. */
    private const FAILURES = [
        'down' => 'Calls that were not sent because the server failed shortly before.',
        'unreachable' => 'Calls that ended without a connection.',
        'timed_out' => 'Calls whose deadline passed.',
        'closed' => 'Connections that the server closed before it answered.',
        'out_of_step' => 'Replies that could not be proven to belong to their request.',
        'denied' => 'Calls that were refused for the user, the password or the certificate.',
        'too_large' => 'Values that were larger than the server takes.',
        'no_memory' => 'Values that the server had no memory for.',
        'server_error' => 'Calls that the server said it failed at.',
        'not_understood' => 'Calls that the server did not understand.',
        'contended' => 'Writes that others were faster than each time.',
        'unreadable' => 'Values that were damaged or of an unknown format.',
    ];

    /** @var array<string, string> */
    private array $help;

    private string $labels;

    /**
     * @param array<array-key, string> $labels for each counter, such as the host or the application
     * @param array<string, string>    $help   by counter, for counters that are not Larder's
     *
     * @throws ValueError for a name that no label may have
     */
    public function __construct(array $labels = [], array $help = [])
    {
        foreach (self::FAILURES as $kind => $words) {
            $help += ["memcached_{$kind}_total" => $words, "redis_{$kind}_total" => $words];
        }
        $this->help = $help + self::HELP;
        $pairs = [];
        foreach ($labels as $name => $value) {
            if (preg_match('/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/D', (string) $name) !== 1) {
                throw new ValueError(\sprintf('"%s" cannot be the name of a label', $name));
            }
            $pairs[] = $name . '="' . strtr($value, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
        }
        $this->labels = $pairs === [] ? '' : '{' . implode(',', $pairs) . '}';
    }

    public function of(Counters $counters): string
    {
        $counts = [];
        foreach ($counters->all() as $name => $count) {
            // A name may stand in the text once, so two names that the format cannot distinguish are one counter.
            $counts[self::name($name)][$name] = $count;
        }
        $text = '';
        foreach ($counts as $name => $same) {
            $help = $this->help[array_key_first($same)] ?? null;
            $text .= $help === null ? '' : "# HELP $name " . strtr($help, ['\\' => '\\\\', "\n" => '\\n']) . "\n";
            $text .= "# TYPE $name counter\n$name$this->labels " . array_sum($same) . "\n";
        }

        return $text;
    }

    private static function name(string $name): string
    {
        $name = (string) preg_replace('/[^a-zA-Z0-9_:]/', '_', $name);

        return preg_match('/^[a-zA-Z_:]/', $name) === 1 ? $name : '_' . $name;
    }
}
