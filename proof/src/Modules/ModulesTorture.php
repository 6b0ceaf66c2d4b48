<?php

declare(strict_types=1);

namespace Larder\Proof\Modules;

use Larder\Proof\Option;
use Larder\Proof\OwnMemory;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\IniFiles;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use RuntimeException;

/**
 * A real php-fpm with Larder's module memcached or memcache, asked without a pause by a client for each worker.
 *
 * Persistent connections are what may pile up, so they are counted at the servers.
 */
final class ModulesTorture implements Torture
{
    private const WORKERS = 4;
    private const SERVERS = 2;

    /** The part of the time after which the workers have all the memory that they need. */
    private const WARM = 0.2;

    /** Kilobytes by which a worker may still grow then: the heap of a request that was larger than all before. */
    private const GROWTH = 256;

    private const TELL = 5.0;

    /** Seconds after the end in which the clients have to be done. */
    private const PATIENCE = 30.0;

    /** Findings after which the clients end. */
    private const ENOUGH = 100;

    public function name(): string
    {
        return 'modules';
    }

    public function description(): string
    {
        return 'Keeps php-fpm busy with Larder\'s module memcached or memcache, and looks whether anything grows';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture modules --of=memcache --seconds=300</info>

            Four clients ask a php-fpm of four workers for rounds of all kinds of calls, on persistent connections to
            two memcacheds. Each client has keys of its own, so that every reply is known. The exit code is 1 if one was
            another, if a worker died or had grown by more than 256 KB since the first fifth of the time, or if a server
            has another number of connections than there are workers; and 2 if the run was too poor to show it.
            HELP;
    }

    public function options(): array
    {
        return [
            Option::choice('of', 'The module', ['memcache'], 'memcached'),
            Option::seconds(5),
            Option::extension(),
        ];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    public function run(Run $run): Result
    {
        $module = $run->text('of');
        $scratch = new TemporaryDirectory('larder-modules', sys_get_temp_dir());
        $servers = array_map(
            static fn(int $number): Memcached => new Memcached("$scratch->path/memcached-$number"),
            range(1, self::SERVERS),
        );
        $before = array_map(self::connections(...), $servers);
        $php = self::php($module, $servers, $run, $scratch->path);
        $page = new FastCgi($php->socket, $scratch->path . '/page.php', (int) self::PATIENCE);
        $findings = new Findings($scratch->path . '/wrong');
        $board = Board::create(['requests' => self::WORKERS]);
        $end = microtime(true) + $run->seconds();
        $ask = static function (int $number) use ($page, $board, $findings, $end): void {
            $parent = posix_getppid();
            for ($round = 1; microtime(true) < $end && posix_getppid() === $parent; ++$round) {
                $said = $page->get("client=$number&round=$round") ?? 'no whole reply';
                $board->add('requests', index: $number);
                if ($said !== 'ok') {
                    $findings->add("client $number, round $round: $said");
                }
                if ($findings->count() >= self::ENOUGH) {
                    return;
                }
            }
        };
        $clients = new WorkerPool($ask, mt_rand());
        $stop = static function () use ($clients, $php, $servers, $scratch): void {
            $clients->killAll();
            $php->stop();
            array_map(static fn(Memcached $server) => $server->stop(), $servers);
            $scratch->remove();
        };
        Signals::stop($stop);
        try {
            $clients->fill(self::WORKERS);
            self::watch($end - (1 - self::WARM) * $run->seconds(), $board, $findings, $run);
            $workers = $php->workers();
            $early = self::memory($workers);
            self::watch($end, $board, $findings, $run);
            foreach ($clients->end(self::PATIENCE) as $ended) {
                if (!$ended->finished) {
                    $findings->add('a client ' . $ended->reason());
                }
            }
            $late = self::memory($workers);
            if ($php->workers() !== $workers) {
                $findings->add('not all workers lived to the end: ' . trim((string) file_get_contents($php->log())));
            }
            if (is_file($scratch->path . '/php.log')) {
                $findings->add('php.log: ' . trim((string) file_get_contents($scratch->path . '/php.log')));
            }
            $connections = array_map(
                static fn(Memcached $server, int $before): int => self::connections($server) - $before,
                $servers,
                $before,
            );

            $requests = $board->sum('requests');

            return self::result($requests, $early, $late, $connections, $findings->all(), $run->seconds());
        } finally {
            $stop();
        }
    }

    /**
     * @param array<int, int> $early       kilobytes of each worker
     * @param array<int, int> $late
     * @param list<int>       $connections of each server
     * @param list<string>    $findings
     */
    public static function result(
        int $requests,
        array $early,
        array $late,
        array $connections,
        array $findings,
        float $seconds,
    ): Result {
        $grown = array_map(static fn(int $pid): int => ($late[$pid] ?? 0) - $early[$pid], array_keys($early));
        $growth = $grown === [] ? 0 : max($grown);
        $isFlat = array_unique($connections) === [self::WORKERS];

        return new Result(
            [
                'failures' => \count($findings),
                'requests' => $requests,
                'growth_kb' => $growth,
                'largest_worker_kb' => max([0, ...array_values($late)]),
                'workers' => \count($early),
                'connections' => array_map(strval(...), $connections),
                'findings' => $findings,
            ],
            \sprintf(
                'failures: %d of %d requests, growth: %d KB a worker, connections of each server: %s for %d workers',
                \count($findings),
                $requests,
                $growth,
                implode(', ', $connections),
                self::WORKERS,
            ),
            $findings === [] && $growth <= self::GROWTH && $isFlat,
            $requests >= 10 * $seconds,
            'Too few requests.',
        );
    }

    /** @param list<Memcached> $servers */
    private static function php(string $module, array $servers, Run $run, string $directory): PhpFpm
    {
        $larder = Extension::at($run->extension());
        $file = \dirname($larder->file) . "/$module.so";
        if (!is_file($file)) {
            throw new RuntimeException("There is no $file; tools/extension build makes it.");
        }
        mkdir($directory . '/tmp');
        $autoload = var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true);
        $page = "<?php\nrequire $autoload;\n" . ModulesPage::class . "::answer();\n";
        file_put_contents($directory . '/page.php', $page);
        $account = Account::ableToReach(__FILE__);
        $account->own($directory);
        $account->own($directory . '/tmp');

        return new PhpFpm($directory, $account, self::WORKERS, [
            ...IniFiles::copied($directory . '/ini', [$module], [['extension', $file]]),
            'TORTURE_MODULE' => $module,
            'TORTURE_SERVERS' => implode(',', array_map(
                static fn(Memcached $server): string => $server->endpoint()->address(),
                $servers,
            )),
        ]);
    }

    private static function watch(float $until, Board $board, Findings $findings, Run $run): void
    {
        $told = microtime(true);
        while (($now = microtime(true)) < $until && $findings->count() < self::ENOUGH) {
            usleep(20_000);
            if ($now - $told >= self::TELL) {
                $told = $now;
                $run->tell(\sprintf('%d failures, %d requests', $findings->count(), $board->sum('requests')));
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

    private static function connections(Memcached $server): int
    {
        $stats = (string) Exchange::with('tcp://' . $server->endpoint()->address(), "stats\r\n", "END\r\n", 5.0);

        return preg_match('/^STAT curr_connections (\d+)/m', $stats, $found) === 1
            ? (int) $found[1]
            : throw new RuntimeException('A memcached does not say how many connections it has.');
    }
}
