<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Metrics\History;
use Larder\Store;
use Larder\Store\AskedServer;
use Larder\Store\KnowsServers;
use PDOException;

/**
 * The numbers of a site at one moment, and how fast they rise since another one.
 *
 * @internal for `larder top` and the dashboard
 *
 * @phpstan-import-type Note from ChangeLog
 */
final readonly class Sample
{
    private const REFUSALS = 10;
    private const CHANGES = 5;

    /** Seconds; a sample that is taken at once after another has no rates. */
    private const LEAST = 0.001;

    /**
     * @param float                                              $at       Unix time
     * @param array<string, int|float>                           $counts   by series
     * @param array<string, int>                                 $gauges   by series
     * @param list<array{page: string, reason: string, at: int, times: int}> $refusals latest first
     * @param bool                                               $countsHits whether nginx's hits are among the counts
     * @param bool|null                                          $answers  whether the store of values does; null: the
     *     site names none
     * @param list<ServerReport>                                 $servers  of pages in memcached
     * @param list<Note>                                         $changes  latest first
     * @param array<string, AskedServer>                         $stores   servers of values
     */
    private function __construct(
        public float $at,
        public array $counts,
        public array $gauges,
        public array $refusals,
        public bool $countsHits,
        public ?bool $answers,
        public string $ledgerFailed,
        public array $servers,
        public array $changes,
        public array $stores,
    ) {}

    /** @param SqlLedger|string $ledger or why it could not be opened */
    public static function of(Site $site, SqlLedger|string $ledger, ?Store $store): self
    {
        $pages = Pages::of($site);
        $gauges = MemoryGauges::now();
        $failed = \is_string($ledger) ? $ledger : '';
        try {
            $gauges += \is_string($ledger) ? [] : PageGauges::of($ledger, $site->limits);
        } catch (LarderException|PDOException $exception) {
            $failed = $exception->getMessage();
        }

        return new self(
            microtime(true),
            $pages->counts(),
            $gauges,
            $pages->refusals()->recent(self::REFUSALS),
            $site->operations->hitLog !== null,
            $store?->read("\0larder.top")->answered,
            $failed,
            PageServers::of($site)?->reports() ?? [],
            $pages->changes()->recent(self::CHANGES),
            $store instanceof KnowsServers ? $store->servers() : [],
        );
    }

    /**
     * @param self|null $before null: there are no rates
     *
     * @return array<string, mixed>
     */
    public function values(?self $before): array
    {
        return [
            'at' => round($this->at, 3),
            'ledger_error' => $this->ledgerFailed === '' ? null : $this->ledgerFailed,
            'hit_rate' => $this->hitRate(),
            'pages_gone_per_second' => $this->gone($before),
            'store_answers' => $this->answers,
            'counters' => self::withoutBuckets($this->counts),
            'per_second' => $this->rates($before),
            'gauges' => $this->gauges,
            'servers' => array_map(static fn(ServerReport $server): array => $server->values(), $this->servers),
            'refusals' => $this->refusals,
            'changes' => $this->changes,
            'value_servers' => array_map(static fn(AskedServer $server): array => $server->values(), $this->stores),
        ];
    }

    /** @return float|null null: there was no request, or nginx's hits are not counted */
    public function hitRate(): ?float
    {
        return $this->countsHits ? $this->pages()->hitRate() : null;
    }

    public function pages(): PageCounts
    {
        return new PageCounts($this->counts);
    }

    /** @return array<string, float> by series, what has not changed left out */
    public function rates(?self $before): array
    {
        $seconds = $before === null ? 0.0 : $this->at - $before->at;
        $rates = [];
        if ($before === null || $seconds < self::LEAST) {
            return [];
        }
        $then = self::withSums($before->counts);
        foreach (self::withSums($this->counts) as $series => $count) {
            $last = $then[$series] ?? 0;
            // A counter that is lower than before began anew.
            $more = $count < $last ? $count : $count - $last;
            if ($more > 0) {
                $rates[$series] = round($more / $seconds, 1);
            }
        }

        return $rates;
    }

    /** What a name or a series counts over all routes, tables and stores. */
    public function sum(string $series): int|float
    {
        return self::withSums($this->counts)[$series] ?? 0;
    }

    /** @return float|null a second; null: not known. It is what was stored and is not there. */
    public function gone(?self $before): ?float
    {
        $now = $this->gauges['larder_pages'] ?? null;
        $then = $before?->gauges['larder_pages'] ?? null;
        if ($before === null || $now === null || $then === null || $this->at - $before->at < self::LEAST) {
            return null;
        }
        $stored = $this->pages()->of('stored') - $before->pages()->of('stored');

        return round(max(0, $stored - ($now - $then)) / ($this->at - $before->at), 1);
    }

    /**
     * @param array<string, int|float> $counts
     *
     * @return array<string, int|float> with what they are over all routes, tables and stores
     */
    private static function withSums(array $counts): array
    {
        $counts = self::withoutBuckets($counts);

        return $counts + History::summed($counts);
    }

    /**
     * @param array<string, int|float> $counts
     *
     * @return array<string, int|float>
     */
    public static function withoutBuckets(array $counts): array
    {
        return array_filter(
            $counts,
            static fn(string $series): bool => !str_contains($series, '_bucket{'),
            ARRAY_FILTER_USE_KEY,
        );
    }
}
