<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Closure;
use Larder\Proof\HasWorkers;
use Larder\Proof\IdleClock;
use Larder\Proof\Option;
use Larder\Proof\Plan;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\TortureCommand;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;

/**
 * Three real memcacheds, a faulty proxy before each, some workers and a php-fpm, all on the same keys.
 *
 * The process of the program only watches them, and another looks at the clock only, to see how long the machine stops
 * by itself.
 */
final class ClientTorture implements HasWorkers
{
    private const SERVERS = 3;

    /** A part of the time after which a process has all the memory that it needs; seconds at most. */
    private const WARM = [0.3, 30.0];

    /** Kilobytes and descriptors by which a process may still grow then. */
    private const GROWTH = 3072;
    private const DESCRIPTORS = 2;

    /** Nanoseconds before the end at which memory is measured again, while all still work. */
    private const LAST_LOOK = 200_000_000;

    private const TELL = 5.0;

    /** Findings after which the run ends. */
    private const ENOUGH = 100;

    /** Microseconds between two looks. A look that is late itself accuses no worker. */
    private const LOOK = 100_000;

    /** Nanoseconds after which a call that is still under way hangs. */
    private const HUNG = 2_000_000_000;

    /** Nanoseconds of a stop of the idle process from which the machine has stood still. */
    private const STOOD = 4_000_000;

    /** Seconds that the workers may take to end, and the last check. */
    private const PATIENCE = [10.0, 60.0];

    private TemporaryDirectory $scratch;
    private Board $board;
    private Findings $findings;
    private Lateness $lateness;

    /** @var array<int, int> when the call began that was last found to hang, by worker */
    private array $hung = [];

    /** @var list<Closure(): void> what ends the processes of the run, in the order of their starts */
    private array $stops = [];

    public function name(): string
    {
        return 'client';
    }

    public function description(): string
    {
        return 'Uses memcached through proxies that spoil, cut and hold back, and counts wrong values';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture client --seconds=300</info>

            Workers and a php-fpm make random calls of every method on one pool of three memcacheds. A proxy before each
            delays, splits, cuts and holds back, and repeats, drops, swaps and corrupts replies. Workers are killed, and
            pages run out of memory and of time. Every value carries its key, its generation and a checksum, and every
            counter must lie between what was acknowledged and what was begun. The last line says how many were wrong
            and how many calls went on after their deadline. The exit code is 1 if any, or if a process grew, and 2 if
            the run was too poor to show anything.
            HELP;
    }

    public function options(): array
    {
        return [
            Option::seconds(2),
            Option::number('workers', 'Processes at once, beside one php-fpm worker', 2, 10, 4),
            Option::seed(),
            Option::extension(),
            Option::flag('no-opaque-check', 'Take each reply for that to the oldest request, to see that the check '
                . 'finds'
                . ' it; needs the debug build'),
        ];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    /**
     * @param int $workers with php-fpm's
     *
     * @return array<string, int> of the board
     */
    public static function series(int $workers): array
    {
        $places = (new ClientKeys($workers))->places();

        return [
            // When to stop, in nanoseconds; 0: the run has not begun.
            'end' => 1,
            // Whether the workers can begin.
            'ready' => 1,
            // The longest stop that the idle process saw, in nanoseconds.
            'idle' => 1,
            'begun' => $places,
            'acknowledged' => $places,
            ClientCount::class => $workers,
            Fault::class => self::SERVERS,
        ];
    }

    public function run(Run $run): Result
    {
        $isUnchecked = $run->has('no-opaque-check');
        $extension = Extension::at($run->extension(), $isUnchecked);
        $environment = $isUnchecked ? ['LARDER_NO_OPAQUE' => '1'] : [];
        [$count, $seed] = [$run->number('workers'), $run->seed()];
        $this->scratch = new TemporaryDirectory('larder-client', sys_get_temp_dir());
        $this->board = Board::share(self::series($count + 1));
        $this->lateness = new Lateness($this->scratch->path);
        $this->stops = [$this->scratch->remove(...), $this->board->remove(...)];
        Signals::stop($this->stop(...));
        try {
            $plan = new Plan($this->board->id, $count + 1, $seed, $this->scratch->path, $this->startServers($seed));
            $plan->write();
            $this->findings = $plan->findings();
            $this->pool(fn() => IdleClock::run($this->slept(...)))->fill(1);
            $php = $this->startPhp($extension, $environment);
            $growth = new ProcessGrowth($this->board, $php);
            $workers = $this->startWorkers($extension, $environment, $count);
            $log = $this->scratch->path . '/workers.log';
            $workers->awaitReady(fn(): bool => $this->board->get('ready') === 1, $log);
            $began = (int) hrtime(true);
            $end = $began + $run->seconds() * 1_000_000_000;
            $this->board->set('end', $end);
            $pages = $this->pool(fn() => $this->requestPages($php, $count, $end), $seed);
            $pages->fill(1);
            $warm = (int) (1e9 * min(self::WARM[0] * $run->seconds(), self::WARM[1]));
            $this->watch($began + $warm, $end, $workers, $run);
            $growth->lookEarly();
            $this->watch($end - self::LAST_LOOK, $end, $workers, $run);
            $growth->lookLate();
            $this->watch($end, $end, $workers, $run);
            $this->board->set('end', min($end, (int) hrtime(true)));
            $areGone = fn(): bool => !$workers->isRunning() && $this->haveEnded($pages);
            $this->await($areGone, self::PATIENCE[0], 'the workers do not end');
            $check = $this->startWorkers($extension, $environment, 0);
            $this->await(static fn(): bool => !$check->isRunning(), self::PATIENCE[1], 'the last check does not end');
            foreach ($growth->lost() as $name) {
                $this->findings->add("the $name that is never killed did not live all the time");
            }
            if ($this->said() !== '') {
                $this->findings->add('the workers say: ' . $this->said());
            }
            [$late, $findings] = [$this->lateness->tooLong(), $this->findings->all()];

            return self::result($this->board, $growth->seen(), $late, $findings, $run->seconds());
        } finally {
            $this->stop();
        }
    }

    /** @param list<string> $arguments number of workers; 0: only the last check */
    public function work(Plan $plan, array $arguments): void
    {
        $count = (int) ($arguments[0] ?? 0);
        $workers = new WorkerGroup($plan, $count);
        $count === 0 ? $workers->checkAll() : $workers->run();
    }

    /**
     * @param array<string, array{early: array{int, int}, late: array{int, int}}> $processes kilobytes and descriptors
     * @param list<string> $late     calls that went on for too long
     * @param list<string> $findings
     */
    public static function result(Board $board, array $processes, array $late, array $findings, float $seconds): Result
    {
        $faults = $grown = [];
        $hasGrown = false;
        foreach (Fault::cases() as $fault) {
            $name = strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $fault->name));
            $faults["fault_$name"] = $board->sum($fault);
        }
        foreach ($processes as $name => ['early' => [$memory, $files], 'late' => [$memoryLate, $filesLate]]) {
            $name = strtr($name, '-', '_');
            $grown += ["{$name}_kb_early" => $memory, "{$name}_kb_late" => $memoryLate];
            $grown += ["{$name}_descriptors_early" => $files, "{$name}_descriptors_late" => $filesLate];
            $isLarge = $memoryLate - $memory > self::GROWTH || $filesLate - $files > self::DESCRIPTORS;
            $hasGrown = $hasGrown || $isLarge;
        }
        [$calls, $hits] = [$board->sum(ClientCount::Calls), $board->sum(ClientCount::Hits)];
        [$kills, $aborts] = [$board->sum(ClientCount::Kills), $board->sum(ClientCount::Aborts)];
        $unknown = $board->sum(ClientCount::Unknown);
        [$wrong, $hung] = [\count($findings), \count($late)];

        return new Result(
            [
                'wrong' => $wrong,
                'hung' => $hung,
                'requests' => $calls,
                'keys_read' => $board->sum(ClientCount::Keys),
                'hits' => $hits,
                'writes' => $board->sum(ClientCount::Writes),
                'done' => $board->sum(ClientCount::Done),
                'unknown' => $unknown,
                'refused' => $board->sum(ClientCount::Refused),
                'kills' => $kills,
                'pages' => $board->get(ClientCount::Lives, $board->count(ClientCount::Lives) - 1),
                'pages_aborted' => $aborts,
                'faults' => array_sum($faults),
                ...$faults,
                'slowest_over_deadline_ms' => round($board->max(ClientCount::Late) / 1e6, 1),
                'idle_gap_ms' => round($board->get('idle') / 1e6, 1),
                ...$grown,
                'calls_too_long' => $late,
                'findings' => $findings,
            ],
            \sprintf('wrong: %d, hung: %d of %d requests, %d faults', $wrong, $hung, $calls, array_sum($faults)),
            $wrong + $hung === 0 && !$hasGrown,
            $calls >= 500 * $seconds && $hits >= 500 * $seconds && $kills >= $seconds
                && min($aborts, $unknown, ...array_values($faults)) > 0 && \count($processes) > 1,
            'Too few requests, hits, kills or faults to show anything.',
        );
    }

    /** @return list<string> addresses of the proxies before the servers */
    private function startServers(int $seed): array
    {
        $proxies = [];
        for ($i = 0; $i < self::SERVERS; ++$i) {
            $server = new Memcached("{$this->scratch->path}/server-$i", socket: true, threads: 1);
            $this->stops[] = $server->stop(...);
            $socket = 'unix://' . $server->endpoint()->socket;
            $proxy = new Proxy($socket, new FaultyTraffic($this->board, $i));
            $this->pool($proxy->serve(...), $seed + 77 * $i)->fill(1);
            $proxies[] = "127.0.0.1:$proxy->port";
            $proxy->close();
        }

        return $proxies;
    }

    /**
     * With one worker, so that requests that follow each other meet the same pool.
     *
     * @param array<string, string> $environment
     */
    private function startPhp(Extension $extension, array $environment): PhpFpm
    {
        $directory = $this->scratch->path . '/fpm';
        mkdir($directory . '/ini', 0o700, true);
        mkdir($directory . '/tmp');
        file_put_contents($directory . '/ini/larder.ini', "extension=\"{$extension->file}\"\n");
        file_put_contents($directory . '/page.php', \sprintf(
            "<?php\nrequire %s;\n%s::answer(%s);\n",
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            ClientPage::class,
            var_export($this->scratch->path, true),
        ));
        // A leading colon keeps the directory of PHP's own .ini files. Errors are expected and go to a file that is not
        // read.
        $environment += ['PHP_INI_SCAN_DIR' => ':' . $directory . '/ini'];
        $php = new PhpFpm($directory, Account::of('root'), 1, $environment, ['error_log' => '/dev/null']);
        $this->stops[] = $php->stop(...);

        return $php;
    }

    /**
     * The program with the extension, for its workers or the last check.
     *
     * @param array<string, string> $environment
     */
    private function startWorkers(Extension $extension, array $environment, int $count): Daemon
    {
        $words = ['workers', $this->name(), $this->scratch->path . '/plan', (string) $count];
        $command = [...$extension->barePhp(['memory_limit' => '256M']), TortureCommand::script(), ...$words];
        $environment += ['PATH' => (string) getenv('PATH')];
        $daemon = new Daemon('the workers', $command, $environment, $this->scratch->path . '/workers.log');
        $this->stops[] = $daemon->stop(...);

        return $daemon;
    }

    /** What the workers printed; nothing is expected. */
    private function said(): string
    {
        return trim((string) @file_get_contents($this->scratch->path . '/workers.log'));
    }

    /** @param Closure(): mixed $work */
    private function pool(Closure $work, int $seed = 1): WorkerPool
    {
        $pool = new WorkerPool(static fn() => $work(), $seed);
        $this->stops[] = static function () use ($pool): void {
            $pool->killAll();
        };

        return $pool;
    }

    private function requestPages(PhpFpm $php, int $number, int $end): void
    {
        $server = new FastCgi($php->socket, $this->scratch->path . '/fpm/page.php');
        $client = new PageClient($server, $this->board, $number, $this->findings);
        while (hrtime(true) < $end && hrtime(true) < $this->board->get('end')) {
            $client->ask();
        }
    }

    private function slept(int $from, int $until): void
    {
        if ($until - $from > self::STOOD) {
            $this->lateness->stood($from, $until);
        }
        if ($this->board->get('end') > $until) {
            $this->board->raise('idle', $until - $from);
        }
    }

    private function watch(int $until, int $end, Daemon $workers, Run $run): void
    {
        $told = $looked = microtime(true);
        while (hrtime(true) < $until && $this->findings->count() < self::ENOUGH) {
            usleep(self::LOOK);
            $now = microtime(true);
            if ($now - $looked < 5 * self::LOOK / 1e6) {
                $this->lookForHung();
            }
            $looked = $now;
            if (!$workers->isRunning() && hrtime(true) < $end) {
                $this->findings->add('the workers are gone: ' . $this->said());

                return;
            }
            if ($now - $told >= self::TELL) {
                $told = $now;
                $run->tell($this->line((int) ceil(($end - hrtime(true)) / 1e9)));
            }
        }
    }

    private function lookForHung(): void
    {
        foreach ($this->board->all(ClientCount::CallBegan) as $worker => $began) {
            $isLong = $began > 0 && hrtime(true) - $began > self::HUNG;
            if ($isLong && ($this->hung[$worker] ?? 0) !== $began) {
                $this->hung[$worker] = $began;
                $name = "still under way in worker $worker";
                $this->lateness->called($name, $began, (int) hrtime(true), self::HUNG);
            }
        }
    }

    private function haveEnded(WorkerPool $pool): bool
    {
        foreach ($pool->reap() as $end) {
            if (!$end->finished) {
                $this->findings->add('the client of php-fpm ' . $end->reason());
            }
        }

        return $pool->numbers() === [];
    }

    private function line(int $left): string
    {
        $counts = array_map($this->board->sum(...), [
            ClientCount::Calls, ClientCount::Hits, ClientCount::Writes, ClientCount::Unknown, ClientCount::Refused,
            ClientCount::Kills, ClientCount::Aborts,
        ]);

        return \sprintf(
            '%d wrong, %d requests, %d hits, %d writes (%d unknown, %d refused), %d kills, %d pages aborted, %d faults,'
                . ' %.0f ms late (idle %.0f ms), %d s left',
            $this->findings->count(),
            ...$counts,
            ...[
                array_sum(array_map($this->board->sum(...), Fault::cases())),
                $this->board->max(ClientCount::Late) / 1e6,
                $this->board->get('idle') / 1e6,
                $left,
            ],
        );
    }

    /** @param Closure(): bool $done */
    private function await(Closure $done, float $patience, string $otherwise): void
    {
        $deadline = microtime(true) + $patience;
        while (!$done()) {
            if (microtime(true) > $deadline) {
                $this->findings->add($otherwise);

                return;
            }
            usleep(10_000);
        }
    }

    private function stop(): void
    {
        foreach (array_reverse($this->stops) as $stop) {
            $stop();
        }
        $this->stops = [];
    }
}
