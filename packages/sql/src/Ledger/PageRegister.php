<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Sql\Exception\PageStoreFailed;
use Psr\Clock\ClockInterface;

/**
 * @internal The pages of a ledger, with what the database knows of them: room, places, and lives.
 *
 * It does not care for order and locks: a LedgerProtocol calls it at the right moments.
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-import-type State from SqlState
 */
final readonly class PageRegister
{
    /** Pages that one publication may evict, so that it holds its locks for a bounded time. */
    private const MOST_EVICTED = 64;

    /** Seconds after which a former place is forgotten that has not been there in all that time. */
    private const FORGOTTEN = 90 * 86400;

    public function __construct(
        public RegisteredPages $pages,
        public SqlState $state,
        public SqlIndex $index,
        private ClockInterface $clock,
    ) {}

    /** The pages of the place that was deployed. It is not this process's own if that was described with another. */
    public function served(): RegisteredPages
    {
        return $this->at($this->state->place());
    }

    /** The pages of a place that was deployed; null: none was. */
    public function at(?string $place): RegisteredPages
    {
        return $place === null || $place === $this->pages->place() ? $this->pages : $this->pages->at($place);
    }

    /** Begins a new life: all pages are out of service, and no render that has begun can be stored. */
    public function begin(
        RegisteredPages $pages,
        string $release,
        string $registry,
        bool $keepsStale = false,
    ): void {
        $isForeign = $pages !== $this->pages;
        if ($isForeign && !$pages->isThere() && $this->index->isEmpty()) {
            return;
        }
        [$life, $generation] = $this->state->renew($release, $registry, $pages->host());
        $this->index->clear();
        // A place of others that is gone is not made again: its next process does that, or nobody.
        if (!$isForeign || $pages->isThere()) {
            $pages->begin($life, $generation, $release, $keepsStale);
            $this->state->serve($pages->place(), $this->clock->now()->getTimestamp());
        }
    }

    /**
     * Begins a life for a new deployment.
     *
     * @return list<RegisteredPages> that have pages out of service
     *
     * @throws PageStoreFailed
     */
    public function deploy(string $release, string $registry): array
    {
        $before = $this->state->read();
        if ($this->pages instanceof NoPages && !\in_array($before['release'], ['', $release], true)) {
            throw PageStoreFailed::elsewhere();
        }
        // It refuses pages that are on another host, which would go on to serve them.
        $wereRight = $this->pages->belong($before['id'], $before['generation']);
        $this->begin($this->pages, $release, $registry, $wereRight && $release !== $before['release']);

        return [$this->pages, ...$this->clearFormerPlaces()];
    }

    /** @return list<RegisteredPages> that have pages out of service */
    public function flush(): array
    {
        $state = $this->state->read();
        $pages = $this->served();
        $pages->belong($state['id'], $state['generation']);
        $this->begin($pages, $state['release'], $state['registry']);

        return [$pages, ...$this->clearFormerPlaces()];
    }

    /**
     * Removes the older page of the same key, those whose time is over, and the oldest of a route without room, never
     * another route's: all at once, so that two who do it lock them in one order.
     *
     * @param list<Row>          $older of the same key
     * @param array<string, int> $bytes by route
     * @param (Closure(list<RegisteredPage>): void)|null $evicted gets the other pages that make room for it
     *
     * @return array<string, int>|null what SqlIndex::insert() is to add to the bytes of each route; null: there is no
     *     room
     */
    public function makeRoom(
        Registration $registration,
        array $older,
        array $bytes,
        ?Closure $evicted = null,
    ): ?array {
        $now = $this->clock->now()->getTimestamp();
        $going = array_column($older, null, 'id');
        // Only pages with an end of their own expire, so the others do not look for them.
        $looks = $registration->expires !== null;
        $going += $looks ? array_column($this->index->expired($now, self::MOST_EVICTED), null, 'id') : [];
        $excess = self::excess($registration, $going, $bytes);
        if ($excess > 0 && !$looks) {
            $going += array_column($this->index->expired($now, self::MOST_EVICTED), null, 'id');
            $excess = self::excess($registration, $going, $bytes);
        }
        foreach ($excess > 0 ? $this->index->oldest($registration->route, self::MOST_EVICTED) : [] as $row) {
            if ($excess > 0 && !isset($going[$row['id']])) {
                $going[$row['id']] = $row;
                $excess -= $row['bytes'];
            }
        }
        $this->pages->drop(array_column($going, 'placed'));
        if ($evicted !== null && $going !== []) {
            $isOther = static fn(RegisteredPage $page): bool => $page->page !== $registration->page;
            $evicted(array_values(array_filter(array_column($going, 'placed'), $isOther)));
        }
        $freed = $this->index->remove(array_values($going));
        if ($excess > 0) {
            $this->index->add($freed);

            return null;
        }

        return $freed;
    }

    /** @param list<RegisteredPages> $cleared with pages out of service, which need no lock to go */
    public static function sweep(array $cleared): void
    {
        foreach ($cleared as $pages) {
            try {
                $pages->sweep(PHP_INT_MAX);
            } catch (PageStoreFailed) {
                // They are out of service. The next flush tries again.
                continue;
            }
        }
    }

    /**
     * By how many bytes the page is too large for what is free.
     *
     * @param array<int, Row>    $going that are removed
     * @param array<string, int> $bytes by route
     */
    private static function excess(Registration $registration, array $going, array $bytes): int
    {
        foreach ($going as $row) {
            $bytes[$row['route']] = ($bytes[$row['route']] ?? 0) - $row['bytes'];
        }

        return max(
            ($bytes[$registration->route] ?? 0) + $registration->bytes - $registration->cap,
            array_sum($bytes) + $registration->bytes - $registration->total,
        );
    }

    /**
     * Nobody publishes at a former place. Pages that are there have been left out of service by nobody yet.
     *
     * @return list<RegisteredPages> that were cleared
     */
    private function clearFormerPlaces(): array
    {
        $cleared = [];
        foreach ($this->state->formerPlaces() as $place => $since) {
            $pages = $this->pages->at($place);
            if ($pages->isThere()) {
                $pages->clear();
                $cleared[] = $pages;
                $this->state->forget($place);
            } elseif ($since < $this->clock->now()->getTimestamp() - self::FORGOTTEN) {
                $this->state->forget($place);
            }
        }

        return $cleared;
    }
}
