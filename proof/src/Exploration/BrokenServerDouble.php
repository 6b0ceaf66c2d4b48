<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Dependency\Protocol\LockingProtocol;
use Larder\Dependency\Protocol\OneWriterProtocol;
use Larder\Dependency\SqlLedger;
use Larder\Page\MemcachedPageStore;
use Larder\Proof\Mutation\Mutant;

/** Algorithm D+ without one guard. The explorer must find what goes wrong in each, or its zero proves nothing. */
enum BrokenServerDouble: string implements Broken
{
    case PlainSet = 'a page is set without its stub\'s CAS number';
    case OtherConnection = 'a page is published on another connection than its stub\'s';
    case StubbedLate = 'the stub is made after the registration';
    case StubsSpared = 'a change deletes pages, and no stubs';
    case MarkedStale = 'a change marks pages as stale instead of deleting them';
    case SilenceIgnored = 'a change takes a server that does not answer for one without pages';
    case FailedDropCommitted = 'a change that could not delete a page commits';
    case DroppedBeforeLock = 'a change deletes before it has the lock';
    case DroppedAfterCommit = 'a change deletes after COMMIT';
    case RegisteredAfterSwap = 'the page is registered after it was published';
    case SwappedInTransaction = 'the page is published before its registration is committed, and no mark tells after a '
        . 'death';
    case MarkedAfterSwap = 'the server is told the generation after the page';
    case GenerationUnchecked = 'a server that is ahead of the ledger is not emptied';
    case LifeUnchecked = 'a server with pages of another life is not emptied';
    case ComebackKept = 'a server that does not know whose its pages are is not emptied';
    case FlushKept = 'a new life does not empty the server';
    case DroppedBeforeRaise = 'on MariaDB, a change deletes before it raises the versions';
    case CheckedUnlocked = 'on MariaDB, versions are checked without a lock on them';
    case NoVersionCheck = 'a publication checks no versions';
    case NoBump = 'a change raises no versions';
    case VersionsReadLate = 'versions are read after the snapshot';
    case CheckedWithoutLock = 'versions are checked before the lock is had';
    case StubForEver = 'a stub has no end';
    case LeaseForEver = 'a lease has no end';

    public function implementation(): Implementation
    {
        return new Implementation(...$this->mutants());
    }

    public function scenario(): Scenario
    {
        return match ($this) {
            self::OtherConnection => new Scenario(2, 0, servers: new Troubles(restarts: 1)),
            self::SilenceIgnored, self::FailedDropCommitted => new Scenario(1, 1, servers: new Troubles(silences: 1)),
            self::GenerationUnchecked => new Scenario(0, 1, servers: new Troubles(remains: Remains::Ahead)),
            self::LifeUnchecked => new Scenario(0, 1, servers: new Troubles(remains: Remains::Foreign)),
            self::ComebackKept => new Scenario(0, 1, servers: new Troubles(remains: Remains::Unmarked)),
            self::FlushKept => new Scenario(1, 0, flushers: 1, servers: new Troubles()),
            self::MarkedAfterSwap, self::StubForEver => new Scenario(1, 0, servers: new Troubles()),
            self::LeaseForEver => new Scenario(1, 0, servers: new Troubles(leases: true)),
            self::DroppedBeforeRaise, self::CheckedUnlocked => new Scenario(
                1,
                1,
                servers: new Troubles(),
                locking: true,
            ),
            default => new Scenario(1, 1, servers: new Troubles()),
        };
    }

    public function violation(): Violation
    {
        return match ($this) {
            self::OtherConnection => Violation::Mistimed,
            self::MarkedAfterSwap => Violation::Unmarked,
            self::FlushKept => Violation::Unregistered,
            self::StubForEver, self::LeaseForEver => Violation::Stuck,
            default => Violation::Stale,
        };
    }

    /** @return list<Mutant> */
    private function mutants(): array
    {
        return match ($this) {
            self::StubbedLate => [new Mutant(OneWriterProtocol::class, [
                '$stamp($generation);' => '',
                'return $refused ?? ($place($generation)' => 'if ($refused === null) {
                    $stamp($generation);
                }
                return $refused ?? ($place($generation)',
            ])],
            self::FailedDropCommitted => [new Mutant(OneWriterProtocol::class, [
                // Otherwise COMMIT would try again.
                '            $this->rollBack();
            throw $exception instanceof LedgerUnavailable
                ? $exception' => '            $writes->clear();
            return [];
            throw $exception instanceof LedgerUnavailable
                ? $exception',
            ])],
            self::DroppedBeforeLock => [new Mutant(OneWriterProtocol::class, [
                '                $pages->outdate(array_column($made, \'placed\'));' => '',
            ]), new Mutant(SqlLedger::class, [
                '        $this->connection->beginTransaction();
        try {
            $change = $this->open();' => '        $row = $this->connection->registry()->row("news", 4);
        $made = $this->register->index->madeFrom([$row]);
        $this->register->pages->drop(array_column($made, "placed"));
        $this->connection->beginTransaction();
        try {
            $change = $this->open();',
            ])],
            self::DroppedAfterCommit => BrokenDouble::DroppedAfterCommit->mutants(),
            self::RegisteredAfterSwap => BrokenDouble::RegisteredAfterRename->mutants(),
            self::SwappedInTransaction => [
                BrokenDouble::RenamedInTransaction->mutants()[0],
                ...self::GenerationUnchecked->mutants(),
            ],
            self::DroppedBeforeRaise => [new Mutant(LockingProtocol::class, [
                '            // From now on no column set is learned that the second connection does not show.'
                    => '            $early = $this->second()->index->madeFrom($names);
            $this->pages->drop(array_column($early, "placed"));',
                '                $pages->outdate(array_column($made, \'placed\'));' => '',
            ])],
            self::CheckedUnlocked => [new Mutant(LockingProtocol::class, [
                '$dialect->locks($own, false, true), []],'
                    => '"SELECT slot FROM larder_lock WHERE slot IN (" . implode(", ", $own) . ")", []],',
            ])],
            self::NoVersionCheck => BrokenDouble::NoVersionCheck->mutants(),
            self::NoBump => BrokenDouble::NoBump->mutants(),
            self::VersionsReadLate => BrokenDouble::VersionsReadLate->mutants(),
            self::CheckedWithoutLock => BrokenDouble::CheckedWithoutLock->mutants(),
            default => [new Mutant(MemcachedPageStore::class, $this->inStore())],
        };
    }

    /** @return array<string, string> what the page store's source has instead */
    private function inStore(): array
    {
        return match ($this) {
            self::PlainSet => [
                '"ms %s %d C%s\r\n%s\r\n"' => '"ms %s %d O%s\r\n%s\r\n"',
            ],
            self::OtherConnection => [
                'if ($connection === 0 || $this->nodes->node($index)->connection() !== $connection)'
                    => 'if ($connection === 0)',
                '$this->nodes->ask([$index => $this->marking($generation) . $swap])[$index];'
                    => '$this->nodes->tell([$index => $this->marking($generation) . $swap])[$index];',
            ],
            self::StubsSpared => [
                'foreach ($pages as $placed) {' => 'foreach ($pages as $placed) {
            $at = $this->nodes->of($this->prefix . $placed->page);
            $look = "mg {$this->key($placed->page)} v\r\n";
            if (($this->nodes->tell([$at => $look])[$at][0]["value"] ?? "") === "") {
                continue;
            }',
            ],
            self::MarkedStale => ['"md {$key} q\r\n"' => '"md {$key} I q\r\n"'],
            self::SilenceIgnored => [
                'foreach ($this->nodes->tell($commands) as $index => $replies)'
                    => 'foreach (array_filter($this->nodes->ask($commands), is_array(...)) as $index => $replies)',
            ],
            self::MarkedAfterSwap => ['$this->marking($generation) . $swap]' => '$swap . $this->marking($generation)]'],
            self::GenerationUnchecked => ['|| (int) $reached > $generation) {' => ') {'],
            self::LifeUnchecked => ['} elseif ($life !== $ledger || ' => '} elseif ('],
            self::ComebackKept => [
                '$anew[$index] = "flush_all\r\n" . $this->marking($generation);'
                    => '$anew[$index] = $this->marking($generation);',
            ],
            self::FlushKept => [
                '$this->each("flush_all\r\n" . $this->marking($generation))'
                    => '$this->each($this->marking($generation))',
            ],
            self::StubForEver => ['"ms %s %d c T%d\r\n%s\r\n"' => '"ms %s %d c O%d\r\n%s\r\n"'],
            self::LeaseForEver => ['"mg %s N%d c v\r\n"' => '"mg %s N0 O%d c v\r\n"'],
            default => [],
        };
    }
}
