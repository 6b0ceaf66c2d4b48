<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Scratch;
use Closure;
use RuntimeException;

/**
 * A real php-fpm on a named segment that is always full, asked without a pause by a few clients.
 *
 * Each client writes keys of its own and remembers what was acknowledged, so a get must give exactly that, or nothing once it
 * was evicted. What a worker has taken for itself is measured when a fifth of the time is over, and at the end.
 */
final class Soak
{
    private const WORKERS = 4;
    private const KEYS = 3000;
    private const NAME = 'soak';
    private const SEGMENT = '16M';

    /** A key that no client writes, and its generation: an int. */
    private const MARK = [4000, 5];

    /** A part of the time after which the workers have all they need. */
    private const WARM = 0.2;

    private const TELL = 5.0;
    private const ENOUGH = 100;

    private readonly Scratch $scratch;
    private readonly Scratch $segments;
    private readonly PhpFpm $php;
    private readonly Board $board;
    private readonly Findings $findings;

    /** @var list<int> */
    private array $clients = [];

    /** @param Closure(string): void $progress told every five seconds */
    public function __construct(
        private readonly Extension $extension,
        private readonly Closure $progress,
    ) {
        $account = Account::ableToReach(__FILE__);
        $this->scratch = Scratch::in(sys_get_temp_dir(), 'larder-soak');
        $this->segments = Scratch::in(is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir(), 'larder-soak');
        chmod($this->segments->path, 0o700);
        $directory = $this->scratch->path;
        mkdir($directory . '/tmp');
        mkdir($directory . '/ini');
        file_put_contents($directory . '/ini/larder.ini', implode('', array_map(
            static fn(string $name, string $value): string => "$name=\"$value\"\n",
            ['extension', ...array_keys($this->ini())],
            [$extension->file, ...array_values($this->ini())],
        )));
        $page = \sprintf("<?php\nrequire %s;\nLarder\\Torture\\Memory\\SoakPage::answer();\n", var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true));
        file_put_contents($directory . '/page.php', $page);
        $account->own($directory);
        // A leading colon keeps the directory of PHP's own .ini files.
        $this->php = new PhpFpm($directory, $account, self::WORKERS, ['PHP_INI_SCAN_DIR' => ':' . $directory . '/ini']);
        $this->findings = new Findings($directory . '/wrong');
        $this->board = Board::make(1, self::WORKERS);
        $this->board->remove();
    }

    public function run(float $seconds): SoakResult
    {
        $this->stopOnSignals();
        try {
            $this->php->start();
            $began = $this->workers();
            $end = microtime(true) + $seconds;
            for ($seat = 0; $seat < self::WORKERS; ++$seat) {
                $this->clients[] = $this->fork(fn() => $this->ask($seat, $end));
            }
            $this->watch($end - (1 - self::WARM) * $seconds, $end);
            $early = self::own($began);
            $this->watch($end, $end);
            array_map(static fn(int $client): int => pcntl_waitpid($client, $status), $this->clients);
            $this->clients = [];
            $late = self::own($began);
            if ($this->workers() !== $began) {
                $this->findings->add('not all workers lived to the end: ' . trim((string) file_get_contents($this->php->log())));
            }
            if (is_file($this->scratch->path . '/php.log')) {
                $this->findings->add('php.log: ' . trim((string) file_get_contents($this->scratch->path . '/php.log')));
            }

            return $this->result($early, $late);
        } finally {
            $this->stop();
        }
    }

    /**
     * A worker that was forked just now is not named as one yet.
     *
     * @return list<int>
     */
    private function workers(): array
    {
        $deadline = microtime(true) + self::TELL;
        do {
            usleep(10_000);
            $workers = $this->php->workers();
        } while (\count($workers) < self::WORKERS && microtime(true) < $deadline);

        return $workers;
    }

    /** @return array<string, string> */
    private function ini(): array
    {
        return ['larder.name' => self::NAME, 'larder.directory' => $this->segments->path, 'larder.size' => self::SEGMENT, 'larder.namespace' => self::NAME];
    }

    private function ask(int $seat, float $end): void
    {
        mt_srand($seat);
        $client = new SoakClient(new FastCgi($this->php->socket, $this->scratch->path . '/page.php'), $this->findings, $seat * intdiv(self::KEYS, self::WORKERS), intdiv(self::KEYS, self::WORKERS));
        $parent = posix_getppid();
        while (microtime(true) < $end && posix_getppid() === $parent && $client->wrong < self::ENOUGH) {
            $client->ask();
            foreach ([Seat::Operations->value => $client->requests, Seat::Reads->value => $client->reads, Seat::Hits->value => $client->hits, Seat::Writes->value => $client->writes, Seat::Refused->value => $client->refused] as $what => $number) {
                $this->board->noteSeat($seat, Seat::from($what), $number);
            }
        }
    }

    private function watch(float $until, float $end): void
    {
        $told = microtime(true);
        while (($now = microtime(true)) < $until) {
            usleep(20_000);
            if ($now - $told >= self::TELL) {
                $told = $now;
                ($this->progress)(\sprintf(
                    '%d failures, %d requests, %d gets (%d hits), %d writes (%d refused), %d s left',
                    $this->findings->count(),
                    ...array_map($this->board->sum(...), [Seat::Operations, Seat::Reads, Seat::Hits, Seat::Writes, Seat::Refused]),
                    ...[(int) ceil($end - $now)],
                ));
            }
        }
    }

    /**
     * @param list<int> $workers
     *
     * @return array<int, int> KB by process that it alone has made or changed; the segment is not among them
     */
    private static function own(array $workers): array
    {
        $own = [];
        foreach ($workers as $worker) {
            $rollup = (string) @file_get_contents("/proc/$worker/smaps_rollup");
            $own[$worker] = preg_match('/^Anonymous:\s+(\d+) kB/m', $rollup, $matches) === 1 ? (int) $matches[1] : throw new RuntimeException("Cannot read the memory of process $worker.");
        }

        return $own;
    }

    /**
     * @param array<int, int> $early
     * @param array<int, int> $late
     */
    private function result(array $early, array $late): SoakResult
    {
        $growth = array_map(static fn(int $worker): int => $late[$worker] - $early[$worker], array_keys($early));
        $info = $this->seen();
        [$requests, $reads, $hits, $writes, $refused] = array_map($this->board->sum(...), [Seat::Operations, Seat::Reads, Seat::Hits, Seat::Writes, Seat::Refused]);

        return new SoakResult($requests, $reads, $hits, $writes, $refused, $growth === [] ? 0 : max($growth), array_values($late), $info, $this->findings->all());
    }

    /**
     * What the command line finds under the segment's name: a mark that php-fpm has set, and how the store fares.
     *
     * @return array<array-key, mixed>
     */
    private function seen(): array
    {
        [$key, $generation] = self::MARK;
        (new FastCgi($this->php->socket, $this->scratch->path . '/page.php'))->get("set=$key.$generation");
        $mark = $this->larder('memory:get', "soak:$key");
        if (($mark['value'] ?? null) !== (new Specimen($key, $generation))->number()) {
            $this->findings->add('the command line does not find what php-fpm has set: ' . json_encode($mark, JSON_PARTIAL_OUTPUT_ON_ERROR));
        }

        return $this->larder('memory:info');
    }

    /** @return array<array-key, mixed> */
    private function larder(string ...$arguments): array
    {
        $command = [
            ...$this->extension->php([]), \dirname(__DIR__, 3) . '/vendor/bin/larder', ...array_values($arguments),
            '--name=' . self::NAME, '--directory=' . $this->segments->path, '--namespace=' . self::NAME, '--format=json',
        ];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        $answer = json_decode(implode("\n", $lines), true);

        return \is_array($answer) ? $answer : ['said' => implode("\n", $lines)];
    }

    /** @param Closure(): void $do */
    private function fork(Closure $do): int
    {
        $child = pcntl_fork();
        if ($child === 0) {
            try {
                $do();
            } catch (\Throwable $failure) {
                $this->findings->add('a client failed: ' . $failure->getMessage());
            }
            posix_kill((int) getmypid(), SIGKILL);
        }

        return $child;
    }

    private function stopOnSignals(): void
    {
        pcntl_async_signals(true);
        foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
            pcntl_signal($signal, function (int $signal): never {
                $this->stop();
                exit(128 + $signal);
            });
        }
    }

    private function stop(): void
    {
        foreach ($this->clients as $client) {
            posix_kill($client, SIGKILL);
            pcntl_waitpid($client, $status);
        }
        $this->clients = [];
        $this->php->stop();
        $this->scratch->remove();
        $this->segments->remove();
    }
}
