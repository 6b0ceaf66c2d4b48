<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Site\DeployedSite;
use RuntimeException;

/**
 * Deploys and flushes a site while it is used, by the `larder` program, some of whose runs are killed half-way.
 *
 * A deployment is what docs/how-to/production.md says: the new code, `larder deploy`, php-fpm reloaded. It runs on any
 * of the hosts; each of the others goes on with the code of before, until it gets the list and is reloaded too. A flush
 * comes after a write that no ledger knows of, as by a SQL console. Renders that are slow may be under way meanwhile,
 * on any of the hosts.
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

    /** @var list<array{DeployedSite, int}> php-fpm's workers that are stopped, with their host */
    private array $held = [];

    /** The host that does this step. */
    private DeployedSite $host;

    private int $release = 0;
    private int $write = 0;

    /**
     * @param non-empty-list<DeployedSite> $hosts
     * @param SiteCode                     $code   that all hosts have
     * @param int                          $number of this process on the board
     */
    public function __construct(
        private readonly array $hosts,
        private readonly SiteCode $code,
        private readonly Account $account,
        private readonly Board $board,
        private readonly int $number,
    ) {
        $this->host = $hosts[0];
    }

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
        $this->host = $this->hosts[array_rand($this->hosts)];
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
        $this->finish('flush');
        $this->count(PageCount::Flushes);
        $this->board->set(Mark::Flushed, $this->write);
    }

    /**
     * Stops php-fpm's workers of some hosts in the middle of their renders, and writes past the ledger: what they
     * render is old when they go on. None of them is stopped with SQLite's write lock, since this process has it. In
     * the other databases a writer may wait for a stopped worker, with rows that this process wants: so it writes
     * first.
     */
    private function hold(): void
    {
        $database = $this->host->database->connect();
        $database->exec($this->host->database->kind === DatabaseKind::Sqlite ? 'BEGIN IMMEDIATE' : 'BEGIN');
        HotItems::write($database, ++$this->write);
        $held = (array) array_rand($this->hosts, random_int(1, \count($this->hosts)));
        foreach ($held as $index) {
            foreach ($this->hosts[$index]->running->php->workers() as $worker) {
                $this->held[] = [$this->hosts[$index], $worker];
                posix_kill($worker, SIGSTOP);
            }
        }
        $database->exec('COMMIT');
    }

    private function resume(): void
    {
        foreach ($this->held as [$host, $worker]) {
            if (\in_array($worker, $host->running->php->workers(), true)) {
                posix_kill($worker, SIGCONT);
            }
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
        if ($kill && !$this->larder('deploy', true) && random_int(0, 1) === 1) {
            $this->reload($this->host);
        }
        $this->finish('deploy');
        $this->count(PageCount::Deploys);
        $this->count(PageCount::RegistryChanges, $changeRegistry);
        $this->board->set(Mark::Deployed, $this->release);
        $this->board->set(Mark::Flushed, $this->write);
        foreach ([$this->host, ...$this->others()] as $host) {
            if ($host !== $this->host) {
                usleep(1000 * random_int(...self::REST));
                $host->copyList($this->host);
            }
            usleep(1000 * random_int(...self::RELOADED_AFTER));
            $this->reload($host);
            $this->board->set(Mark::Reloaded, $this->release, (int) array_search($host, $this->hosts, true));
        }
    }

    /** @return list<DeployedSite> the hosts but the one that does this step, in any order */
    private function others(): array
    {
        $others = array_filter($this->hosts, fn(DeployedSite $host): bool => $host !== $this->host);
        shuffle($others);

        return $others;
    }

    private function reload(DeployedSite $host): void
    {
        $host->running->php->reload(self::OPCACHE[array_rand(self::OPCACHE)]);
        $this->count(PageCount::Reloads);
    }

    /** Again while a server of the pages is away: such a run leaves all as it was. */
    private function finish(string $command): void
    {
        while (!$this->larder($command)) {
            usleep(10_000);
        }
    }

    /** @return bool false: it was killed before it had ended, or a server of the pages did not answer */
    private function larder(string $command, bool $kill = false): bool
    {
        $file = $this->host->running->directory . '/larder.out';
        $program = \dirname(__DIR__, 3) . '/lib/bin/larder';
        $process = proc_open(
            $this->account->command([PHP_BINARY, $program, $command, "--site={$this->code->directory}/larder.php"]),
            [['file', '/dev/null', 'r'], ['file', $file, 'w'], ['file', $file, 'a']],
            $pipes,
            null,
            ['PATH' => (string) getenv('PATH'), ...$this->host->environment],
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
            $this->count(PageCount::DeploysKilled, $command === 'deploy');

            return false;
        }
        if ($status['exitcode'] !== 0) {
            $said = (string) file_get_contents($file);
            if (str_contains($said, 'page store failed to reach')) {
                $this->count(PageCount::LarderRefused);

                return false;
            }
            throw new RuntimeException("larder $command failed: " . $said);
        }

        return true;
    }

    private function count(PageCount $what, bool $if = true): void
    {
        $this->board->add($what, $if ? 1 : 0, $this->number);
    }
}
