<?php

declare(strict_types=1);

namespace App\Torture\Client;

use App\Server\Account;
use App\Server\Daemon;
use App\Server\PhpFpm;
use App\Server\Program;
use App\Server\Scratch;
use App\Server\ServerFailed;
use App\Torture\Memory\Extension;
use App\Torture\Memory\FastCgi;
use App\Torture\Memory\Findings;
use Closure;

/**
 * Three real memcacheds, a faulty proxy before each, a nursery of workers and a php-fpm, all on the same keys; this process only watches
 * them, and one more looks at nothing but the clock, to tell how long this machine stops by itself.
 */
final class ClientTorture
{
    private const SERVERS = 3;

    /** A part of the time after which a process has all it needs; seconds at most. */
    private const WARM = [0.3, 30.0];

    private const SIGNALS = [SIGINT, SIGTERM, SIGHUP];

    private const TELL = 5.0;
    private const ENOUGH = 100;

    /** Microseconds between two looks; one that is late itself accuses nobody. */
    private const LOOK = 100_000;

    /** Nanoseconds that a call may take before it is said to hang while it still does. */
    private const HUNG = 2_000_000_000;

    /** Nanoseconds between two looks at the clock after which the machine has stood still. */
    private const STOOD = 4_000_000;

    private readonly Scratch $scratch;
    private readonly Notes $notes;
    private readonly Findings $findings;
    private readonly Plan $plan;
    private readonly int $seats;

    /** @var list<Daemon> */
    private array $daemons = [];

    private ?PhpFpm $php = null;

    /** @var list<int> */
    private array $children = [];

    /** @var array<int, int> when the call began that was last found to hang, by seat */
    private array $hung = [];

    /**
     * @param array<string, string> $environment of the processes with the extension
     * @param Closure(string): void $progress    told every five seconds
     */
    public function __construct(
        private readonly Extension $extension,
        private readonly int $workers,
        private readonly int $seed,
        private readonly array $environment,
        private readonly Closure $progress,
    ) {
        $this->scratch = Scratch::in(sys_get_temp_dir(), 'larder-client');
        $this->seats = $workers + 1;
        $this->notes = Notes::make((new Keys($this->seats))->places(), $this->seats, self::SERVERS);
        $this->findings = new Findings($this->scratch->path . '/wrong');
    }

    public function run(float $seconds): ClientResult
    {
        $this->stopOnSignals();
        try {
            $this->plan = new Plan($this->notes->id, $this->seats, $this->seed, $this->scratch->path, $this->startServers());
            $this->plan->write($this->scratch->path . '/plan');
            $this->fork($this->idle(...));
            $php = $this->startPhp();
            $end = hrtime(true) + (int) ($seconds * 1e9);
            $this->notes->endAt($end);
            $this->visit($php, $end);
            $nursery = $this->php('client:workers', (string) $this->workers);
            $this->watch($end - (int) (1e9 * ($seconds - min(self::WARM[0] * $seconds, self::WARM[1]))), $end, $nursery);
            $early = $this->longLived($php);
            $this->watch($end - 200_000_000, $end, $nursery);
            $late = $this->longLived($php);
            $this->watch($end, $end, $nursery);
            $this->await($nursery, 10.0, 'the workers');
            $look = $this->php('client:workers', '0');
            $this->await($look, 60.0, 'the last look');

            return $this->result($early, $late);
        } finally {
            $this->stop();
        }
    }

    /** @return list<string> the proxies, as a pool takes them */
    private function startServers(): array
    {
        $program = Program::find('memcached') ?? throw ServerFailed::missing('memcached', 'memcached');
        $proxies = [];
        for ($i = 0; $i < self::SERVERS; ++$i) {
            $socket = "{$this->scratch->path}/server-$i";
            $command = [$program, '-s', $socket, '-a', '600', '-t', '1', '-m', '256', ...(posix_geteuid() === 0 ? ['-u', 'root'] : [])];
            $server = new Daemon('memcached', $command, ['PATH' => (string) getenv('PATH')], $socket . '.log');
            $this->daemons[] = $server;
            $server->awaitReady(static fn(): bool => file_exists($socket), $socket . '.log');
            $listener = FaultyProxy::listen();
            $proxies[] = '127.0.0.1:' . FaultyProxy::port($listener);
            $this->fork(function () use ($listener, $socket, $i): void {
                mt_srand($this->seed + 77 * $i);
                (new FaultyProxy($listener, $socket, $this->notes, $i))->serve();
            });
            socket_close($listener);
        }

        return $proxies;
    }

    private function startPhp(): PhpFpm
    {
        $directory = $this->scratch->path . '/fpm';
        mkdir($directory . '/ini', 0o700, true);
        mkdir($directory . '/tmp');
        file_put_contents($directory . '/ini/larder.ini', "extension=\"{$this->extension->file}\"\n");
        file_put_contents($directory . '/page.php', \sprintf(
            "<?php\nrequire %s;\nApp\\Torture\\Client\\Page::answer(%s);\n",
            var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true),
            var_export($this->scratch->path, true),
        ));
        // A leading colon keeps the directory of PHP's own .ini files. Its errors are expected: they go to a file that nobody reads.
        $php = new PhpFpm($directory, Account::of('root'), 1, [...$this->environment, 'PHP_INI_SCAN_DIR' => ':' . $directory . '/ini'], ['error_log' => '/dev/null']);
        $this->php = $php;
        $php->start();

        return $php;
    }

    private function visit(PhpFpm $php, int $end): void
    {
        $this->fork(function () use ($php, $end): void {
            mt_srand($this->seed);
            $visitor = new Visitor(new FastCgi($php->socket, $this->scratch->path . '/fpm/page.php'), $this->notes, $this->seats - 1, $this->findings);
            while (hrtime(true) < $end - 50_000_000) {
                $visitor->ask();
            }
        });
    }

    /** The torture program, with the extension. */
    private function php(string ...$arguments): Daemon
    {
        [$verb, $argument] = $arguments + ['', ''];
        $command = [...$this->extension->barePhp(['memory_limit' => '256M']), Extension::script(), $verb, $this->scratch->path . '/plan', $argument];

        return $this->daemons[] = new Daemon('the workers', $command, ['PATH' => (string) getenv('PATH'), ...$this->environment], $this->scratch->path . '/workers.log');
    }

    private function watch(int $until, int $end, Daemon $nursery): void
    {
        $told = $looked = microtime(true);
        while (hrtime(true) < $until && $this->findings->count() < self::ENOUGH) {
            usleep(self::LOOK);
            $now = microtime(true);
            if ($now - $looked < 5 * self::LOOK / 1e6) {
                $this->lookForHung();
            }
            $looked = $now;
            if (!$nursery->isRunning() && hrtime(true) < $end) {
                $this->findings->add('the workers are gone: ' . $this->log());

                return;
            }
            if ($now - $told >= self::TELL) {
                $told = $now;
                ($this->progress)($this->line((int) ceil(($end - hrtime(true)) / 1e9)));
            }
        }
    }

    private function lookForHung(): void
    {
        for ($seat = 0; $seat < $this->seats; ++$seat) {
            $began = $this->notes->seat($seat, Note::Began);
            if ($began > 0 && hrtime(true) - $began > self::HUNG && ($this->hung[$seat] ?? 0) !== $began) {
                $this->hung[$seat] = $began;
                $this->plan->lateness()->called("still under way on seat $seat", $began, (int) hrtime(true), self::HUNG);
            }
        }
    }

    private function line(int $left): string
    {
        return \sprintf(
            '%d wrong, %d requests, %d hits, %d writes (%d unknown, %d refused), %d kills, %d pages (%d aborted), %d faults, %.0f ms late (idle %.0f ms), %d s left',
            $this->findings->count(),
            ...array_map($this->notes->sum(...), [Note::Calls, Note::Hits, Note::Writes, Note::Unknown, Note::Refused, Note::Kills]),
            ...[$this->notes->seat($this->seats - 1, Note::Lives), $this->notes->sum(Note::Aborts), $this->notes->allFaults()],
            ...[$this->notes->longest(Note::Late) / 1e6, $this->notes->idle() / 1e6, $left],
        );
    }

    /** @return array<string, array{int, int, int}> process, KB that it alone has, descriptors: of the processes that are not killed */
    private function longLived(PhpFpm $php): array
    {
        $seen = [];
        foreach (['worker' => $this->notes->seat(0, Note::Process), 'fpm' => $php->workers()[0] ?? 0] as $name => $process) {
            $rollup = (string) @file_get_contents("/proc/$process/smaps_rollup");
            $descriptors = @scandir("/proc/$process/fd");
            if (preg_match('/^Anonymous:\s+(\d+) kB/m', $rollup, $matches) === 1 && $descriptors !== false) {
                $seen[$name] = [$process, (int) $matches[1], \count($descriptors) - 2];
            }
        }

        return $seen;
    }

    /**
     * @param array<string, array{int, int, int}> $early
     * @param array<string, array{int, int, int}> $late
     */
    private function result(array $early, array $late): ClientResult
    {
        $processes = [];
        foreach ($late as $name => [$process, $kilobytes, $descriptors]) {
            if ($process !== ($early[$name][0] ?? 0)) {
                $this->findings->add("the process \"$name\" did not live to the end");
            } else {
                $processes[$name] = ['early' => [$early[$name][1], $early[$name][2]], 'late' => [$kilobytes, $descriptors]];
            }
        }
        if ($this->log() !== '') {
            $this->findings->add('the workers say: ' . $this->log());
        }
        $sums = array_map($this->notes->sum(...), [Note::Calls, Note::Keys, Note::Hits, Note::Writes, Note::Done, Note::Unknown, Note::Refused, Note::Kills]);
        $faults = [];
        foreach (Fault::cases() as $fault) {
            $faults[$fault->name] = $this->notes->faults($fault);
        }

        return new ClientResult(
            ...$sums,
            ...[
                'pages' => $this->notes->seat($this->seats - 1, Note::Lives),
                'aborts' => $this->notes->sum(Note::Aborts),
                'faults' => $faults,
                'slowest' => $this->notes->longest(Note::Late) / 1e6,
                'idle' => $this->notes->idle() / 1e6,
                'processes' => $processes,
                'late' => $this->plan->lateness()->tooLong(),
                'findings' => $this->findings->all(),
            ],
        );
    }

    private function log(): string
    {
        return trim((string) @file_get_contents($this->scratch->path . '/workers.log'));
    }

    private function idle(): void
    {
        $parent = posix_getppid();
        $last = (int) hrtime(true);
        while (posix_getppid() === $parent) {
            usleep(1000);
            $now = (int) hrtime(true);
            if ($now - $last > self::STOOD) {
                $this->plan->lateness()->stood($last, $now);
            }
            if ($this->notes->end() > $now && $now - $last > $this->notes->idle()) {
                $this->notes->noteIdle($now - $last);
            }
            $last = $now;
        }
    }

    private function await(Daemon $daemon, float $patience, string $who): void
    {
        $deadline = microtime(true) + $patience;
        while ($daemon->isRunning()) {
            if (microtime(true) > $deadline) {
                $this->findings->add("$who do not end");

                return;
            }
            usleep(10_000);
        }
    }

    /** @param Closure(): void $do */
    private function fork(Closure $do): void
    {
        $child = pcntl_fork();
        if ($child !== 0) {
            $this->children[] = $child;

            return;
        }
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, SIG_DFL);
        }
        try {
            $do();
        } catch (\Throwable $failure) {
            $this->findings->add('a process failed: ' . $failure->getMessage() . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
        }
        posix_kill((int) getmypid(), SIGKILL);
    }

    private function stopOnSignals(): void
    {
        pcntl_async_signals(true);
        foreach (self::SIGNALS as $signal) {
            pcntl_signal($signal, function (int $signal): never {
                $this->stop();
                exit(128 + $signal);
            });
        }
    }

    private function stop(): void
    {
        $this->php?->stop();
        $this->php = null;
        foreach (array_reverse($this->daemons) as $daemon) {
            $daemon->stop();
        }
        $this->daemons = [];
        foreach ($this->children as $child) {
            posix_kill($child, SIGKILL);
            pcntl_waitpid($child, $status);
        }
        $this->children = [];
        $this->notes->remove();
        $this->scratch->remove();
    }
}
