<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\Sql\Tracker\WriterTransaction;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Random\Randomizer;

/**
 * @internal What a SqlLedger is made of. It keeps no connection, so that a connection can keep it, and make known by it
 * what it writes.
 */
final readonly class SqlAnnouncer implements Announcer
{
    /** So many versions a ledger has, if nobody says otherwise. */
    public const SLOTS = 65536;

    public PageRegister $register;

    public LedgerProtocol $protocol;

    /** @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced as of SqlLedger */
    public function __construct(
        TrackedDatabase $database,
        RegisteredPages $pages,
        string $release,
        ClockInterface $clock = new SystemClock(),
        int $slots = self::SLOTS,
        Randomizer $random = new Randomizer(),
        ?Closure $announced = null,
    ) {
        $own = $database->own;
        $announcements = new Announcements($announced, $database->closers);
        [$this->register, $this->protocol] = $own->dialect()->choose(
            static function () use ($database, $own, $pages, $release, $clock, $slots, $random, $announcements): array {
                $state = new OneWriterState($own, $slots, $random);
                $register = new PageRegister($pages, $state, new OneWriterIndex($own), $clock);

                return [$register, new OneWriterProtocol(
                    $database,
                    $register,
                    $state,
                    $release,
                    $slots,
                    $announcements,
                )];
            },
            static function (LockingDialect $dialect) use (
                $database,
                $own,
                $pages,
                $release,
                $clock,
                $slots,
                $random,
                $announcements,
            ): array {
                $state = new LockingState($own, $dialect, $slots, $random);

                return [
                    new PageRegister($pages, $state, new LockingIndex($own, $dialect, $random), $clock),
                    new LockingProtocol(
                        $database,
                        $dialect,
                        $pages,
                        $release,
                        $clock,
                        $slots,
                        $random,
                        $announcements,
                    ),
                ];
            },
        );
    }

    public function announce(array $names, WriterTransaction $transaction): void
    {
        $this->protocol->announce($names, true, $transaction);
    }

    public function gate(?array $tables, Closure $run): mixed
    {
        return $this->protocol->gate($tables, $run);
    }
}
