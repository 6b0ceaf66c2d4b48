<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Follow\Followed;
use Larder\Follow\Follower;
use Larder\Follow\Settings;
use Larder\Follow\State;
use Larder\Proof\MissingGuard;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Process\WorkerPool;
use Psr\Log\NullLogger;

/** The follower of a trial, which is killed, and stopped for longer than it may be silent. */
final class RowFollower
{
    private const BEAT = 0.1;

    /** Nanoseconds from one attack to the next in a short trial, and in a long one, which has a share of it. */
    private const SHORTEST_PAUSE = 1_500_000_000;
    private const LONGEST_PAUSE = 5_000_000_000;
    private const ATTACKS = 25;

    /** Of this many attacks one is a long stop. */
    private const STOPS = 6;

    /** Of this many attacks one comes before the follower has given a sign of life. */
    private const EARLY = 4;

    private readonly WorkerPool $pool;

    private int $due;

    /** What the notes said when the follower was started last. */
    private mixed $before = null;

    /** Whether it is attacked even if it has not given a sign of life. */
    private bool $isEarly = false;

    private bool $isStopped = false;

    public int $kills = 0;

    public int $stops = 0;

    /** Nanoseconds from one attack to the next. */
    private readonly int $pause;

    /**
     * @param string $directory for its notes; made if need be
     * @param float  $seconds   of the trial: a follower that is attacked all the time lets no row be kept
     */
    public function __construct(RowTrial $trial, private readonly string $directory, int $seed, float $seconds)
    {
        @mkdir($directory);
        $this->pause = max(self::SHORTEST_PAUSE, min(self::LONGEST_PAUSE, (int) ($seconds * 1e9 / self::ATTACKS)));
        $this->pool = new WorkerPool(static fn() => self::follow($trial, $directory), $seed);
        $this->start();
        $this->due = (int) hrtime(true) + $this->pause;
    }

    /** To be called often. */
    public function attack(): void
    {
        $this->pool->reap();
        $now = (int) hrtime(true);
        if ($now < $this->due) {
            return;
        }
        $this->due = $now + $this->pause;
        if ($this->isStopped) {
            $this->isStopped = false;
            $this->pool->signal(0, SIGCONT);
        } elseif ($this->pool->numbers() === []) {
            $this->start();
        } elseif (!$this->isEarly && !$this->hasBeaten()) {
            // One that is killed again and again before it can work would show nothing, on a machine that is busy.
            return;
        } elseif (mt_rand(1, self::STOPS) === 1) {
            ++$this->stops;
            $this->isStopped = $this->pool->signal(0, SIGSTOP);
            $this->due = $now + (int) (mt_rand(3, 7) * 1e9 * RowTrial::MAX_LAG / 2);
        } else {
            ++$this->kills;
            $this->pool->kill(0, refork: false);
            if (mt_rand(0, 3) > 0) {
                $this->start();
            }
        }
    }

    public function end(): void
    {
        $this->pool->killAll();
    }

    private function start(): void
    {
        $this->before = $this->lastSign();
        $this->isEarly = mt_rand(1, self::EARLY) === 1;
        $this->pool->fill(1);
    }

    private function hasBeaten(): bool
    {
        $sign = $this->lastSign();

        return $sign !== null && $sign !== $this->before;
    }

    /** @return mixed when it was noted; null: there is none, or the follower failed after it */
    private function lastSign(): mixed
    {
        $status = (new State($this->directory))->status();

        return ($status['lag'] ?? null) === null ? null : $status['at'] ?? null;
    }

    private static function follow(RowTrial $trial, string $directory): void
    {
        $database = $trial->database;
        $followed = new Followed(
            static fn(): SqlLedger => SqlLedger::forValues(
                $trial->missing === MissingGuard::Barrier
                    ? new FollowingPdo($database)
                    : new RecordingPdo($database->dsn, user: $database->user, password: $database->password),
            ),
            $directory,
            rows: $trial->stores(),
            name: 'torture',
            log: $database->access($directory),
            settings: new Settings(RowTrial::MAX_LAG, self::BEAT, logger: new NullLogger()),
        );
        (new Follower($followed))->run();
    }
}
