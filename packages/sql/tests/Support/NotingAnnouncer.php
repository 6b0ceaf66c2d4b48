<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Ledger\NoPages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\Sql\Tracker\WriterTransaction;
use Larder\Sql\Tracker\Writes;

/** Notes what a connection makes known, in place of a ledger. */
final readonly class NotingAnnouncer implements Announcer
{
    /**
     * @param Closure(list<Name>, Writes): void $note
     * @param (Closure(list<string>|null): void)|null $gated  gets the tables of a statement that commits by itself
     * @param Announcer|null                          $ledger whose gates close then
     */
    private function __construct(
        private Closure $note,
        private ?Closure $gated,
        private ?Announcer $ledger = null,
    ) {}

    /**
     * @param Closure(list<Name>, Writes): void $note
     * @param (Closure(list<string>|null): void)|null $gated
     */
    public static function at(RecordingPdo|RecordingMysqli $connection, Closure $note, ?Closure $gated = null): void
    {
        $connection->tracker()->announceBy(static fn(): self => new self($note, $gated));
    }

    /**
     * What commits by itself runs behind the gates of the ledger of values.
     *
     * @param Closure(list<Name>, Writes): void $note
     */
    public static function besideLedger(RecordingPdo|RecordingMysqli $connection, Closure $note): void
    {
        $connection->tracker()->announceBy(static fn(TrackedDatabase $database): self => new self(
            $note,
            null,
            SqlLedger::announcer($database, new NoPages($database), NoPages::RELEASE),
        ));
    }

    public function announce(array $names, WriterTransaction $transaction): void
    {
        ($this->note)($names, $transaction->writes());
        $transaction->writes()->clear();
    }

    public function gate(?array $tables, Closure $run): mixed
    {
        if ($this->gated !== null) {
            ($this->gated)($tables);
        }

        return $this->ledger === null ? $run() : $this->ledger->gate($tables, $run);
    }
}
