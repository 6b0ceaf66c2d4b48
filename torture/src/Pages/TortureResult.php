<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

/** What came of one run. */
final readonly class TortureResult
{
    /** @param array<string, int> $counters of the site */
    public function __construct(
        public ReaderTally $tally,
        public int $changes,
        public int $kills,
        private array $counters,
    ) {}

    /** Stores that a check of the ledger, or a draft that was gone, prevented. */
    public function prevented(): int
    {
        return $this->counters['larder_page_stores_changed_total'] ?? 0;
    }

    public function stores(): int
    {
        return $this->counters['larder_page_stores_total'] ?? 0;
    }

    /** A run that hardly read, changed, killed or stored anything has shown nothing. */
    public function shows(float $seconds): bool
    {
        return $this->tally->reads >= 10 * $seconds && $this->changes >= $seconds && $this->kills >= $seconds && $this->stores() >= $seconds;
    }

    public function isClean(): bool
    {
        return $this->tally->stale === 0 && $this->tally->wrong === 0;
    }

    public function line(): string
    {
        return \sprintf('stale: %d of %d reads, %d changes, %d kills', $this->tally->stale, $this->tally->reads, $this->changes, $this->kills);
    }

    /** @return array<string, int|list<string>> */
    public function toArray(): array
    {
        return [
            'stale' => $this->tally->stale,
            'wrong' => $this->tally->wrong,
            'reads' => $this->tally->reads,
            'hits' => $this->tally->hits,
            'not_modified' => $this->tally->notModified,
            'compressed' => $this->tally->compressed,
            'unanswered' => $this->tally->unanswered,
            'changes' => $this->changes,
            'kills' => $this->kills,
            'stores' => $this->stores(),
            'stores_prevented' => $this->prevented(),
            'told' => $this->tally->told,
        ];
    }
}
