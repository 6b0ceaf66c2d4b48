<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Proof\Option;
use Larder\Proof\OwnMemory;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testbed\Value\SealedValue;
use RuntimeException;

/**
 * A real php-fpm on a named segment that is always full, asked without a pause by a few clients.
 *
 * Each client writes keys of its own and remembers what was acknowledged, so a get must give exactly that, or nothing
 * once it was evicted. The memory of each worker is measured when a fifth of the time is over, and at the end.
 */
final class SoakTorture implements Torture
{
    private const WORKERS = 4;
    private const KEYS = 3000;
    private const NAME = 'soak';
    private const SEGMENT = '16M';

    /** A key that no client writes, and a generation that is an int. */
    private const MARK = [4000, 5];

    /** The part of the time after which the workers have all the memory that they need. */
    private const WARM = 0.2;

    /** Kilobytes by which a worker may still grow then. */
    private const GROWTH = 2048;

    private const TELL = 5.0;

    /** Seconds after the end in which the clients have to be done. */
    private const PATIENCE = 30.0;

    /** Findings after which the clients end. */
    private const ENOUGH = 100;

    public function name(): string
    {
        return 'soak';
    }

    public function description(): string
    {
        return 'Keeps php-fpm busy on a full segment, and looks whether its workers grow';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture soak --seconds=300</info>

            Four clients ask a php-fpm of four workers to set, get and delete. Each reply must be whole, and each value
            the one that was acknowledged last, or gone. The exit code is 1 if anything was not, if a worker died, if
            one had grown by more than 2 MB since the first fifth of the time, or if a command-line PHP does not see the
            same segment; and 2 if the run was too poor to show it.
            HELP;
    }

    public function options(): array
    {
        return [Option::seconds(5), Option::extension()];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    public function run(Run $run): Result
    {
        $extension = Extension::at($run->extension());
        $scratch = new TemporaryDirectory('larder-soak', sys_get_temp_dir());
        $segments = new TemporaryDirectory('larder-soak');
        chmod($segments->path, 0o700);
        $php = self::server($extension, $scratch->path, $segments->path);
        $findings = new Findings($scratch->path . '/wrong');
        $board = Board::create([SoakCount::class => self::WORKERS]);
        $end = microtime(true) + $run->seconds();
        $server = new FastCgi($php->socket, $scratch->path . '/page.php');
        $clients = new WorkerPool(static function (int $number) use ($server, $board, $findings, $end): void {
            $keys = intdiv(self::KEYS, self::WORKERS);
            $client = new SoakClient($server, $board, $number, $findings, $number * $keys, $keys);
            $parent = posix_getppid();
            while (microtime(true) < $end && posix_getppid() === $parent && $findings->count() < self::ENOUGH) {
                $client->ask();
            }
        });
        $stop = static function () use ($clients, $php, $scratch, $segments): void {
            $clients->killAll();
            $php->stop();
            $scratch->remove();
            $segments->remove();
        };
        Signals::stop($stop);
        try {
            $workers = self::workers($php);
            $clients->fill(self::WORKERS);
            self::watch($end - (1 - self::WARM) * $run->seconds(), $end, $board, $findings, $run);
            $early = self::memory($workers);
            self::watch($end, $end, $board, $findings, $run);
            foreach ($clients->end(self::PATIENCE) as $ended) {
                if (!$ended->finished) {
                    $findings->add('a client ' . $ended->reason());
                }
            }
            $late = self::memory($workers);
            if (self::workers($php) !== $workers) {
                $findings->add('not all workers lived to the end: ' . trim((string) file_get_contents($php->log())));
            }
            if (is_file($scratch->path . '/php.log')) {
                $findings->add('php.log: ' . trim((string) file_get_contents($scratch->path . '/php.log')));
            }
            $info = self::seen($extension, $segments->path, $server, $findings);

            return self::result($board, $early, $late, $info, $findings->all(), $run->seconds());
        } finally {
            $stop();
        }
    }

    /**
     * @param array<int, int>         $early    kilobytes of each worker
     * @param array<int, int>         $late
     * @param array<array-key, mixed> $info     of the store, as another process sees it
     * @param list<string>            $findings
     */
    public static function result(
        Board $board,
        array $early,
        array $late,
        array $info,
        array $findings,
        float $seconds,
    ): Result {
        $number = static fn(string $name): int => \is_int($info[$name] ?? null) ? $info[$name] : 0;
        $grown = array_map(static fn(int $pid): int => ($late[$pid] ?? 0) - $early[$pid], array_keys($early));
        $growth = $grown === [] ? 0 : max($grown);
        $requests = $board->sum(SoakCount::Requests);
        $failures = \count($findings);

        return new Result(
            [
                'failures' => $failures,
                'requests' => $requests,
                'reads' => $board->sum(SoakCount::Reads),
                'hits' => $board->sum(SoakCount::Hits),
                'writes' => $board->sum(SoakCount::Writes),
                'refused' => $board->sum(SoakCount::Refused),
                'growth_kb' => $growth,
                'largest_worker_kb' => max([0, ...array_values($late)]),
                'entries' => $number('entries'),
                'bytes_used' => $number('bytesUsed'),
                'bytes_total' => $number('bytesTotal'),
                'evictions' => $number('evictions'),
                'recoveries' => $number('recoveries'),
                'findings' => $findings,
            ],
            \sprintf('failures: %d of %d requests, growth: %d KB a worker', $failures, $requests, $growth),
            $failures === 0 && $growth <= self::GROWTH,
            // Without an eviction the segment was never full.
            $requests >= 20 * $seconds && $number('evictions') > 0,
            'Too few requests, or the segment was never full.',
        );
    }

    private static function server(Extension $extension, string $directory, string $segments): PhpFpm
    {
        mkdir($directory . '/tmp');
        mkdir($directory . '/ini');
        $settings = ['extension' => $extension->file, ...self::settings($segments)];
        $lines = array_map(
            static fn(string $name, string $value): string => "$name=\"$value\"\n",
            array_keys($settings),
            array_values($settings),
        );
        file_put_contents($directory . '/ini/larder.ini', implode('', $lines));
        $autoload = var_export(self::root() . '/vendor/autoload.php', true);
        file_put_contents($directory . '/page.php', "<?php\nrequire $autoload;\n" . SoakPage::class . "::answer();\n");
        $account = Account::ableToReach(__FILE__);
        $account->own($directory);
        $account->own($segments);

        // A leading colon keeps the directory of PHP's own .ini files.
        return new PhpFpm($directory, $account, self::WORKERS, ['PHP_INI_SCAN_DIR' => ":$directory/ini"]);
    }

    /** @return array<string, string> */
    private static function settings(string $segments): array
    {
        return [
            'larder.name' => self::NAME,
            'larder.directory' => $segments,
            'larder.size' => self::SEGMENT,
            'larder.namespace' => self::NAME,
        ];
    }

    /**
     * A worker that was forked just now does not have its name yet.
     *
     * @return list<int>
     */
    private static function workers(PhpFpm $php): array
    {
        $deadline = microtime(true) + self::TELL;
        do {
            usleep(10_000);
            $workers = $php->workers();
        } while (\count($workers) < self::WORKERS && microtime(true) < $deadline);

        return $workers;
    }

    private static function watch(float $until, float $end, Board $board, Findings $findings, Run $run): void
    {
        $told = microtime(true);
        while (($now = microtime(true)) < $until) {
            usleep(20_000);
            if ($now - $told >= self::TELL) {
                $told = $now;
                $counts = array_map($board->sum(...), SoakCount::cases());
                $run->tell(\sprintf(
                    '%d failures, %d requests, %d gets (%d hits), %d writes (%d refused), %d s left',
                    $findings->count(),
                    ...[...$counts, (int) ceil($end - $now)],
                ));
            }
        }
    }

    /**
     * @param list<int> $workers
     *
     * @return array<int, int> kilobytes by process
     */
    private static function memory(array $workers): array
    {
        $memory = [];
        foreach ($workers as $worker) {
            $memory[$worker] = OwnMemory::of($worker)
                ?? throw new RuntimeException("Cannot read the memory of process $worker.");
        }

        return $memory;
    }

    /**
     * Looks from the command line for a mark that php-fpm has set under the segment's name.
     *
     * @return array<array-key, mixed> the store's figures
     */
    private static function seen(Extension $extension, string $segments, FastCgi $server, Findings $findings): array
    {
        [$key, $generation] = self::MARK;
        $server->get("set=$key.$generation");
        $mark = self::larder($extension, $segments, 'memory:get', "soak:$key");
        if (($mark['value'] ?? null) !== (new SealedValue($key, $generation))->number()) {
            $shown = json_encode($mark, JSON_PARTIAL_OUTPUT_ON_ERROR);
            $findings->add("the command line does not find what php-fpm has set: $shown");
        }

        return self::larder($extension, $segments, 'memory:info');
    }

    /** @return array<array-key, mixed> */
    private static function larder(Extension $extension, string $segments, string ...$arguments): array
    {
        $command = [
            ...$extension->php([]),
            self::root() . '/vendor/bin/larder',
            ...array_values($arguments),
            '--name=' . self::NAME,
            '--directory=' . $segments,
            '--namespace=' . self::NAME,
            '--format=json',
        ];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        $answer = json_decode(implode("\n", $lines), true);

        return \is_array($answer) ? $answer : ['said' => implode("\n", $lines)];
    }

    private static function root(): string
    {
        return \dirname(__DIR__, 3);
    }
}
