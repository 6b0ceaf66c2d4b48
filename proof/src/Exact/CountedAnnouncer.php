<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Sql\Ledger\RegisteredPages;
use Larder\Sql\Ledger\SqlAnnouncer;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\Sql\Tracker\WriterTransaction;

/** Makes known what a connection writes, and tells why tables change in bulk. */
final readonly class CountedAnnouncer implements Announcer
{
    private function __construct(
        private SqlAnnouncer $ledger,
        private Causes $causes,
    ) {}

    /** @return Closure(TrackedDatabase): self */
    public static function of(RegisteredPages $pages, string $release, int $slots, Causes $causes): Closure
    {
        return static fn(TrackedDatabase $database): self => new self(
            SqlLedger::announcer($database, $pages, $release, slots: $slots),
            $causes,
        );
    }

    public function announce(array $names, WriterTransaction $transaction): void
    {
        $this->causes->note($transaction->writes()->causes(), $transaction->writes()->isAll());
        $this->ledger->announce($names, $transaction);
    }

    public function gate(?array $tables, Closure $run): mixed
    {
        return $this->ledger->gate($tables, $run);
    }
}
