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

    public function mutants(): array
    {
        $protocol = Mutant::of(OneWriterProtocol::class);
        $locking = Mutant::of(LockingProtocol::class);
        $store = Mutant::of(MemcachedPageStore::class);

        return match ($this) {
            self::PlainSet => [$store->text('publish', ' C%s', ' O%s')],
            self::OtherConnection => [$store->remove('publish / operand number')
                ->replace('publish / call ask', '{var}->tell({args.0})')],
            self::StubbedLate => [BrokenDouble::StampedLate->mutants()[0]],
            self::StubsSpared => [$store->replace('drop / statement prefix', '
                $at = $this->nodes->of($this->prefix . {expr.expr.args.0});
                $look = "mg {$this->key({expr.expr.args.0})} v\r\n";
                if (($this->nodes->tell([$at => $look])[$at][0]->value ?? "") === "") {
                    continue;
                }
                {itself};')],
            self::MarkedStale => [$store->text('drop', " q\r\n", " I q\r\n")],
            self::SilenceIgnored => [$store
                ->replace('drop / call tell', 'array_filter({var}->ask({args.0}), is_array(...))')],
            // Otherwise COMMIT would try again.
            self::FailedDropCommitted => [$protocol
                ->replace('announce / statement rollBack', '{assigned writes}->clear(); return [];')],
            self::DroppedBeforeLock => [
                $protocol->remove('announce / statement outdate'),
                Mutant::of(SqlLedger::class)->replace('transaction / statement beginTransaction', '
                    $row = $this->connection->registry()->row("news", 4);
                    $made = $this->register->index->madeFrom([$row]);
                    $this->register->pages->drop(array_column($made, "placed"));
                    {itself};'),
            ],
            self::DroppedAfterCommit => BrokenDouble::DroppedAfterCommit->mutants(),
            self::RegisteredAfterSwap => BrokenDouble::RegisteredAfterRename->mutants(),
            self::SwappedInTransaction => [
                BrokenDouble::RenamedInTransaction->mutants()[0],
                ...self::GenerationUnchecked->mutants(),
            ],
            self::MarkedAfterSwap => [$store->replace('publish / joined marking', '{right} . {left}')],
            self::GenerationUnchecked => [$store->remove('belong / operand {parameter 1}')],
            self::LifeUnchecked => [$store->remove('belong / operand {parameter 0}')],
            self::ComebackKept => [$store->replace('belong / joined marking', '{call marking}')],
            self::FlushKept => [$store->replace('begin / joined marking', '{call marking}')],
            self::DroppedBeforeRaise => [$locking->replace('announce / branch lock', '
                $early = $this->second()->index->madeFrom({parameter 0});
                $this->pages->drop(array_column($early, "placed"));
                {itself};')->remove('announce / statement outdate')],
            self::CheckedUnlocked => [$locking->replace(
                "register / choice 'SELECT 0 AS slot' / call locks",
                '"SELECT slot FROM larder_lock WHERE slot IN (" . implode(", ", {args.0}) . ")"',
            )],
            self::NoVersionCheck => BrokenDouble::NoVersionCheck->mutants(),
            self::NoBump => BrokenDouble::NoBump->mutants(),
            self::VersionsReadLate => BrokenDouble::VersionsReadLate->mutants(),
            self::CheckedWithoutLock => BrokenDouble::CheckedWithoutLock->mutants(),
            self::StubForEver => [$store->text('stamp', ' T%d', ' O%d')],
            self::LeaseForEver => [$store->text('acquire', ' N%d', ' N0 O%d')],
        };
    }
}
