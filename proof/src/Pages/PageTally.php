<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Proof\Result;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;

/** Sums up what a run's processes counted, and says whether it was rich enough to show anything. */
final readonly class PageTally
{
    /** Findings that are printed. */
    private const SHOWN = 5;

    private const STORED = 'larder_page_requests_total{result="stored"}';
    private const CHANGED = 'larder_page_requests_total{result="changed"}';

    public function __construct(
        private Crew $crew,
        private Board $board,
        private Findings $findings,
    ) {}

    /**
     * @param array<string, int|float> $counters    of the site
     * @param bool                     $withDeploys whether there must have been deployments too
     * @param array<string, int>       $more        further figures
     */
    public function result(
        float $seconds,
        int $kills,
        array $counters,
        bool $withDeploys = false,
        array $more = [],
    ): Result {
        $byKind = $this->changesByKind();
        $byHost = $this->hitsByHost();
        $sum = fn(PageCount ...$counts): array => Result::sums($this->board, array_values($counts));
        $events = $sum(PageCount::Deploys, PageCount::DeploysKilled, PageCount::Flushes, PageCount::RegistryChanges)
            + $sum(PageCount::Reloads);
        [$reads, $changes] = [$this->board->sum(PageCount::Reads), $this->board->sum(PageCount::Changes)];
        [$stale, $wrong] = [$this->board->sum(PageCount::Stale), $this->board->sum(PageCount::Wrong)];
        $stores = $counters[self::STORED] ?? 0;

        return new Result(
            [
                'stale' => $stale,
                'wrong' => $wrong,
                'reads' => $reads,
                ...$sum(PageCount::Hits),
                ...$byHost,
                ...$sum(PageCount::NotModified, PageCount::Compressed, PageCount::Unanswered),
                'changes' => $changes,
                ...$byKind,
                ...$sum(PageCount::ChangesRefused),
                'kills' => $kills,
                ...$more,
                ...$events,
                ...$sum(PageCount::LarderRefused),
                'stores' => $stores,
                // A check of the ledger prevented them, or a draft that was gone.
                'stores_prevented' => $counters[self::CHANGED] ?? 0,
                'findings' => \array_slice($this->findings->all(), 0, self::SHOWN),
            ],
            \sprintf('stale: %d of %d reads, %d changes, %d kills', $stale, $reads, $changes, $kills),
            $stale === 0 && $wrong === 0,
            $reads >= 10 * $seconds
                && min($changes, $kills, $stores) >= $seconds
                && (!$withDeploys || !\in_array(0, $events, true))
                && !\in_array(0, [...$byKind, ...$byHost], true),
            'Too few reads, changes, kills, stores, deploys or flushes to show anything.',
        );
    }

    /** @return array<string, int> */
    private function changesByKind(): array
    {
        $changes = [];
        for ($number = 0; $number < $this->crew->writers(); ++$number) {
            $kind = 'changes_by_' . $this->crew->kindOfWriter($number)->value;
            $changes[$kind] = ($changes[$kind] ?? 0)
                + $this->board->get(PageCount::Changes, $this->crew->readers() + $number);
        }

        return $changes;
    }

    /** @return array<string, int> empty for one host */
    private function hitsByHost(): array
    {
        $hits = [];
        for ($number = 0; $this->crew->hosts > 1 && $number < $this->crew->readers(); ++$number) {
            $host = 'hits_on_host_' . ($this->crew->hostOfReader($number) + 1);
            $hits[$host] = ($hits[$host] ?? 0) + $this->board->get(PageCount::Hits, $number);
        }

        return $hits;
    }
}
