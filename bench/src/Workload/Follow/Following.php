<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Follow;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Program;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Quantile;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;

/**
 * What it takes until `larder follow` has ended what others changed by a plain connection. A window has servers and a
 * follower of its own, and lasts as long as it takes. Parameter of both: `database` (mariadb or postgresql).
 *
 * The lag: from the sending of COMMIT until a page is gone from the page store, of `changes` (300) changes of a row
 * each, while two others commit `rate` (0) transactions a second, of one row of another table each.
 *
 * The events: `events` (1,000,000) changes of rows are committed, 100 a transaction and each of another row, while the
 * follower is stopped for the first tenth of them. What counts is the time from when it goes on until it has
 * acknowledged the last one, so that the writer counts too if it is the slower one. The follower's memory is without
 * mariadb-binlog's, which is a process of its own.
 */
final readonly class Following implements Workload
{
    private const WRITERS = 2;

    /** Rows of a transaction. */
    private const EACH = 100;

    /** Changes that teach the follower the site's statements. */
    private const FIRST = 5;

    public function __construct(private bool $ofEvents) {}

    /** @return list<Definition> */
    public static function subjects(): array
    {
        return [Program::definition('follower', 'larder follow', ['client' => 'PHP ' . PHP_VERSION])];
    }

    public function refuses(Definition $subject): ?string
    {
        return $subject->id === 'follower' ? null : 'follows no log';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window has its servers.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $kind = DatabaseKind::tryFrom($job->string('database', 'mariadb'));
        if ($kind === null || $kind === DatabaseKind::Sqlite) {
            throw new \InvalidArgumentException('database must be mariadb or postgresql');
        }
        $directory = "$job->directory/l" . getmypid();
        mkdir($directory);
        $database = Database::start($kind, "$directory/database", true);
        $site = new FollowedSite($directory, $database);
        try {
            for ($item = 1; $item <= self::FIRST; ++$item) {
                $site->change($item);
            }

            return $this->ofEvents ? $this->events($job, $site) : $this->lag($job, $site);
        } finally {
            $site->stop();
        }
    }

    private function lag(Job $job, FollowedSite $site): Measured
    {
        $rate = $job->float('rate', 0.0);
        $board = Board::create(['done' => self::WRITERS]);
        $writers = new WorkerPool(
            static fn(int $writer) => self::write($site->database, $board, $writer, $rate / self::WRITERS),
        );
        $writers->fill($rate > 0.0 ? self::WRITERS : 0);
        $latency = new Histogram();
        $cpu = Cpu::of([$site->follower->pid]);
        $begin = hrtime(true);
        $lags = [];
        $changes = $job->int('changes', 300);
        for ($change = 0; $change < $changes; ++$change) {
            $took = $site->change(1 + $change % FollowedSite::ITEMS);
            $latency->record($took);
            $lags[] = $took / 1e6;
        }
        $seconds = (hrtime(true) - $begin) / 1e9;
        $committed = $board->sum('done');
        $cpu = Cpu::of([$site->follower->pid]) - $cpu;
        if ($rate > 0.0 && $writers->numbers() === []) {
            throw new Failed('those who write beside have ended');
        }
        $writers->killAll();

        return new Measured(
            new Window($job->block, 0, array_sum($lags) / 1e3, $changes, 0, 0, $cpu, 0.0, [$changes]),
            $latency,
            extra: [
                'p50, ms' => Quantile::of($lags, 0.5),
                'p99, ms' => Quantile::of($lags, 0.99),
                ...($rate > 0.0 ? ['transactions beside, per second' => $committed / $seconds] : []),
            ],
            coverage: Coverage::every($changes, 'by the page that is made then'),
        );
    }

    private function events(Job $job, FollowedSite $site): Measured
    {
        $events = $job->int('events', 1_000_000);
        $site->awaitEnd();
        $extra = ['memory before, MB' => $site->memory('VmRSS')];
        $before = $site->status();
        $cpu = Cpu::of([$site->follower->pid]);
        posix_kill($site->follower->pid, SIGSTOP);
        $begin = null;
        $done = 0;
        for (; $done < $events; $done += self::EACH) {
            if ($begin === null && 10 * $done >= $events) {
                $begin = hrtime(true);
                posix_kill($site->follower->pid, SIGCONT);
            }
            $from = 1 + $done % FollowedSite::OTHERS;
            $to = $from + self::EACH - 1;
            $site->plain->exec("UPDATE other SET n = n + 1 WHERE id BETWEEN $from AND $to");
        }
        $begin ??= hrtime(true);
        posix_kill($site->follower->pid, SIGCONT);
        $written = (hrtime(true) - $begin) / 1e9;
        $site->awaitEnd();
        $took = hrtime(true) - $begin;
        $cpu = Cpu::of([$site->follower->pid]) - $cpu;
        $after = $site->status();
        foreach (['work', 'names', 'everything', 'failures'] as $of) {
            [$now, $then] = [$after[$of] ?? 0, $before[$of] ?? 0];
            $extra[$of] = is_numeric($now) && is_numeric($then) ? (float) $now - (float) $then : 0.0;
        }
        if ($extra['failures'] > 0.0) {
            throw new Failed("the follower failed {$extra['failures']} times");
        }
        $latency = new Histogram();
        $latency->record(intdiv($took, max(1, $done)), max(1, $done));
        $extra['writer, s'] = $written;
        $extra['memory after, MB'] = $site->memory('VmRSS');
        $extra['memory at most, MB'] = $site->memory('VmHWM');

        return new Measured(
            new Window($job->block, 0, $took / 1e9, $done, 0, 0, $cpu, 0.0, [$done]),
            $latency,
            extra: $extra,
            coverage: Coverage::every($done, 'by the place in the log'),
        );
    }

    /** Commits transactions of one row each, at a rate, until it is killed. */
    private static function write(Database $database, Board $board, int $number, float $rate): never
    {
        $update = $database->connect()->prepare('UPDATE other SET n = n + 1 WHERE id = ?');
        $began = microtime(true);
        for ($done = 0;; ++$done) {
            $update->execute([1 + (self::WRITERS * $done + $number) % FollowedSite::OTHERS]);
            $board->add('done', index: $number);
            $wait = $began + ($done + 1) / $rate - microtime(true);
            if ($wait > 0.0) {
                usleep((int) ($wait * 1e6));
            }
        }
    }
}
