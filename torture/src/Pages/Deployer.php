<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\DeployedSite;
use RuntimeException;

/**
 * Deploys and flushes a site while it is used, by the `larder` program, some of whose runs are killed half-way.
 *
 * A deployment is what docs/how-to/production.md says: the new code, `larder deploy`, php-fpm reloaded. A flush comes
 * after a write that no ledger knows of, as by a SQL console. Renders that are slow may be under way meanwhile.
 */
final class Deployer
{
    /** Milliseconds between two of its works. */
    private const REST = [200, 3000];

    /** Reads that are answered between two of its works, since a site is read more often than it is deployed. */
    private const READS_BETWEEN = 4_000;

    /** Seconds after which the next one comes although too few reads were answered. */
    private const LONGEST_WAIT = 15.0;

    /** Milliseconds until a run of the program is killed. */
    private const KILLED_AFTER = [0, 600];

    /** Milliseconds for which php-fpm's workers are stopped, if the program needs so long. */
    private const HELD = 400;

    /** Milliseconds in which php-fpm still runs the old code after a deployment. */
    private const RELOADED_AFTER = [0, 600];

    /** Settings that make a difference to which code PHP runs after its files were replaced. */
    private const OPCACHE = [
        ['opcache.validate_timestamps' => '0', 'opcache.revalidate_freq' => '2'],
        ['opcache.validate_timestamps' => '1', 'opcache.revalidate_freq' => '2'],
        ['opcache.validate_timestamps' => '1', 'opcache.revalidate_freq' => '0'],
    ];

    /** @var list<int> php-fpm's workers that are stopped */
    private array $held = [];

    private int $release = 0;
    private int $write = 0;

    /** @param int $number of this process on the board */
    public function __construct(
        private readonly DeployedSite $site,
        private readonly SiteCode $code,
        private readonly Account $account,
        private readonly Board $board,
        private readonly int $number,
    ) {}

    public function work(int $end): void
    {
        for ($step = 0; hrtime(true) < $end; ++$step) {
            $reads = $this->board->sum(PageCount::Reads);
            $deadline = min($end, (int) (hrtime(true) + self::LONGEST_WAIT * 1e9));
            usleep(1000 * random_int(...self::REST));
            // A short run has the first two as well.
            while ($step > 1 && hrtime(true) < $deadline
                && $this->board->sum(PageCount::Reads) < $reads + self::READS_BETWEEN) {
                usleep(10_000);
            }
            $this->step($step);
        }
    }

    /** Flushes and deploys in turn. The first two steps have an event of each kind. */
    public function step(int $step): void
    {
        $round = intdiv($step, 2);
        if ($step % 2 === 0) {
            $this->flush($round % 3 === 1);
        } else {
            $this->deploy($round % 2 === 0, $round % 3 !== 1);
        }
    }

    private function flush(bool $kill): void
    {
        $this->hold();
        if ($kill) {
            $this->larder('flush', true);
        }
        $this->larder('flush');
        $this->count(PageCount::Flushes);
        $this->board->set(Mark::Flushed, $this->write);
    }

    /**
     * Stops php-fpm's workers in the middle of their renders, and writes past the ledger: what they render is old when
     * they go on. None of them is stopped with SQLite's write lock, since this process has it. In the other databases a
     * writer may wait for a stopped worker, with rows that this process wants: so it writes first.
     */
    private function hold(): void
    {
        $database = $this->site->database->connect();
        $database->exec($this->site->database->kind === DatabaseKind::Sqlite ? 'BEGIN IMMEDIATE' : 'BEGIN');
        HotItems::write($database, ++$this->write);
        $this->held = $this->site->running->php->workers();
        foreach ($this->held as $worker) {
            posix_kill($worker, SIGSTOP);
        }
        $database->exec('COMMIT');
    }

    private function resume(): void
    {
        foreach (array_intersect($this->held, $this->site->running->php->workers()) as $worker) {
            posix_kill($worker, SIGCONT);
        }
        $this->held = [];
    }

    private function deploy(bool $kill, bool $changeRegistry): void
    {
        $declares = ($this->board->get(Mark::Declares) === 1) !== $changeRegistry;
        $this->code->release(++$this->release, $declares, random_int(0, 1) === 1);
        $this->board->set(Mark::Declares, $declares ? 1 : 0);
        if (random_int(0, 1) === 1) {
            $this->hold();
        }
        if ($kill && !$this->larder('deploy', true)) {
            $this->count(PageCount::DeploysKilled);
            if (random_int(0, 1) === 1) {
                $this->reload();
            }
        }
        $this->larder('deploy');
        $this->count(PageCount::Deploys);
        $this->count(PageCount::RegistryChanges, $changeRegistry);
        $this->board->set(Mark::Deployed, $this->release);
        $this->board->set(Mark::Flushed, $this->write);
        usleep(1000 * random_int(...self::RELOADED_AFTER));
        $this->reload();
        $this->board->set(Mark::Reloaded, $this->release);
    }

    private function reload(): void
    {
        $this->site->running->php->reload(self::OPCACHE[array_rand(self::OPCACHE)]);
        $this->count(PageCount::Reloads);
    }

    /** @return bool false: it was killed before it had ended */
    private function larder(string $command, bool $kill = false): bool
    {
        $file = $this->site->running->directory . '/larder.out';
        $program = \dirname(__DIR__, 3) . '/lib/bin/larder';
        $process = proc_open(
            $this->account->command([PHP_BINARY, $program, $command, "--site={$this->code->directory}/larder.php"]),
            [['file', '/dev/null', 'r'], ['file', $file, 'w'], ['file', $file, 'a']],
            $pipes,
            null,
            ['PATH' => (string) getenv('PATH'), ...$this->site->environment],
        );
        if ($process === false) {
            throw new RuntimeException("Cannot start larder $command.");
        }
        $status = proc_get_status($process);
        if ($kill) {
            usleep(1000 * random_int(...self::KILLED_AFTER));
            posix_kill($status['pid'], SIGKILL);
        }
        $resume = hrtime(true) + 1e6 * self::HELD;
        while ($status['running']) {
            usleep(2_000);
            $status = proc_get_status($process);
            if (hrtime(true) > $resume) {
                $this->resume();
            }
        }
        $this->resume();
        if ($status['signaled'] && $kill) {
            return false;
        }
        if ($status['exitcode'] !== 0) {
            throw new RuntimeException("larder $command failed: " . file_get_contents($file));
        }

        return true;
    }

    private function count(PageCount $what, bool $if = true): void
    {
        $this->board->add($what, $if ? 1 : 0, $this->number);
    }
}
