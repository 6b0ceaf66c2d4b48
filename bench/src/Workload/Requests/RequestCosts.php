<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Process\Command;
use Larder\Testbed\Quantile;
use Larder\Testbed\Server\Cpu;

/**
 * Asks one worker of php-fpm, again and again. The window's time is that of waiting for answers; the CPU of the client
 * is the worker's, and that of the server is the database's.
 *
 * Or it counts: the system calls of one request by strace, and what that sends to whom. A traced request takes many
 * times as long, so that the rate means nothing.
 */
final readonly class RequestCosts implements Workload
{
    /** By then OPcache has all files, and the worker what it makes once. */
    private const WARM = 10;

    /** Seconds until strace watches, and until it ends. */
    private const PATIENCE = 20.0;

    private const SENDS = ['sendto', 'sendmsg', 'write'];

    /** Of servers by the names of their sockets. */
    private const SERVERS = [
        'mariadb.sock' => 'sends to the database',
        '.s.PGSQL.5432' => 'sends to the database',
        'memcached.sock' => 'sends to memcached',
    ];

    public function __construct(private bool $counts = false) {}

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(SiteRequest::class) ? null : 'is no request to php-fpm';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window warms its worker.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $request = ($subject->make)();
        $request instanceof SiteRequest || throw new NotApplicable('is no request to php-fpm');
        $request->connect($job->context());
        for ($warm = $request->change === null ? self::WARM : 1; $warm > 0; --$warm) {
            $request->once($job);
        }
        $database = (int) ($job->context()->serverOfWorker()->extra['database'] ?? 0);
        $server = Cpu::ofTree($database);
        $latency = new Histogram();
        $extra = $times = [];
        $cpu = 0.0;
        $begin = hrtime(true);
        do {
            [$took, $used] = $this->counts ? $this->counted($job, $request, $extra) : $request->once($job);
            $latency->record($took);
            $times[] = $took / 1e3;
            $cpu += $used;
        } while (!$this->counts && hrtime(true) - $begin < $job->seconds * 1e9);
        $server = Cpu::ofTree($database) - $server;
        $requests = \count($times);
        if (!$this->counts) {
            $extra = ['us, median' => Quantile::median($times), 'us of the processor, PHP' => $cpu / $requests];
            $extra += $database === 0 ? [] : ['us of the processor, database' => $server / $requests];
            $extra += $request->change !== null ? [] : ['classes of Larder' => (float) $request->classes()];
        }
        $request->close();

        return new Measured(
            new Window($job->block, 0, array_sum($times) / 1e6, $requests, 0, 0, $cpu, $server, [$requests]),
            $latency,
            extra: $extra,
            coverage: Coverage::every($requests),
        );
    }

    /**
     * @param string                   $trace of a worker that waits for a request, takes it, and then takes another
     * @param array<array-key, string> $paths of the sockets that servers listen at, by the number of a connection
     *
     * @return array<string, float>
     */
    public static function calls(string $trace, array $paths = []): array
    {
        $calls = $opened = [];
        $figures = ['system calls' => 0.0, ...array_fill_keys(self::SERVERS, 0.0)];
        foreach (explode("\n", $trace) as $line) {
            if (preg_match('/^\d+ +(\w+)\((?:\d+<UNIX\S*:\[(\d+)(?:->(\d+))?)?/', $line, $found) !== 1) {
                continue;
            }
            $name = $found[1];
            if (str_starts_with($name, 'accept') && isset($calls[$name])) {
                // What follows is another request.
                break;
            }
            $calls[$name] = ($calls[$name] ?? 0) + 1;
            [$own, $other] = [$found[2] ?? '', $found[3] ?? ''];
            if ($name === 'connect' && preg_match('/sun_path="([^"]+)"/', $line, $path) === 1) {
                $opened[$own] = $path[1];
            } elseif (\in_array($name, self::SENDS, true)) {
                $server = self::SERVERS[basename($opened[$own] ?? $paths[$other] ?? '')] ?? null;
                $figures = $server === null ? $figures : [...$figures, $server => $figures[$server] + 1];
            }
        }
        arsort($calls);
        foreach ($calls as $name => $count) {
            $figures['system calls'] += $count;
            $figures["calls of $name"] = (float) $count;
        }

        return [...$figures, 'connections opened' => (float) \count($opened)];
    }

    /**
     * @param array<string, float> $extra what was counted
     *
     * @param-out array<string, float> $extra
     *
     * @return array{int, float}
     */
    private function counted(Job $job, SiteRequest $request, array &$extra): array
    {
        $file = \sprintf('%s/calls-%s-%d', $job->directory, $job->subject, $job->block);
        preg_match_all('~ (\d+) (/\S+)$~m', (string) file_get_contents('/proc/net/unix'), $sockets);
        $worker = (string) $request->worker();
        $strace = new Command(['strace', '-f', '-qq', '-yy', '-s', '0', '-o', $file, '-p', $worker]);
        $deadline = microtime(true) + self::PATIENCE;
        // It waits for its next request: before, strace would not see it come.
        while (!str_contains((string) @file_get_contents($file), 'accept')) {
            if (microtime(true) > $deadline || $strace->hasEnded()) {
                throw new Failed('strace cannot watch the worker of php-fpm: ' . $strace->complaint());
            }
            usleep(1000);
        }
        $took = $request->once($job);
        $strace->interrupt();
        $strace->rest(microtime(true) + self::PATIENCE);
        $extra = self::calls((string) file_get_contents($file), array_combine($sockets[1], $sockets[2]));

        return $took;
    }
}
