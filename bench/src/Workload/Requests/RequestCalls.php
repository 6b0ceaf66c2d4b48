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

/**
 * Counts the system calls of one request by strace, and what it sends to whom. A traced request takes many times as
 * long: of this the counts alone mean something.
 */
final readonly class RequestCalls implements Workload
{
    private const WARM = 10;
    private const PATIENCE = 20.0;
    private const SENDS = ['sendto', 'sendmsg', 'write'];

    /** The names of the databases' sockets. */
    private const DATABASES = ['mariadb.sock', '.s.PGSQL.5432'];

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(SiteRequest::class) ? null : 'is no request for a page';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window warms its worker.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $request = ($subject->make)();
        $request instanceof SiteRequest || throw new NotApplicable('is no request for a page');
        $request->connect($job->context());
        for ($warm = 0; $warm < self::WARM; ++$warm) {
            $request->once($job);
        }
        $file = \sprintf('%s/calls-%s', $job->directory, $subject->id);
        $paths = self::paths();
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
        [$took] = $request->once($job);
        $strace->interrupt();
        $strace->rest($deadline + self::PATIENCE);
        $request->close();
        $latency = new Histogram();
        $latency->record($took);

        return new Measured(
            new Window($job->block, 0, $took / 1e9, 1, 0, 0, 0.0, 0.0, [1]),
            $latency,
            extra: self::counts((string) file_get_contents($file), $paths),
            coverage: Coverage::every(1),
        );
    }

    /**
     * @param string                $trace of a worker that waits for a request, takes it, and then takes another
     * @param array<string, string> $paths of the unix sockets that servers listen at, by the number of a connection
     *
     * @return array<string, float>
     */
    public static function counts(string $trace, array $paths = []): array
    {
        $calls = $opened = [];
        $figures = ['system calls' => 0.0, 'sends to the database' => 0.0, 'sends to memcached' => 0.0];
        foreach (explode("\n", $trace) as $line) {
            if (preg_match('/^\d+ +(\w+)\((?:\d+<UNIX\S*:\[(\d+)(?:->(\d+))?)?/', $line, $found) !== 1) {
                continue;
            }
            $name = $found[1];
            $calls[$name] = ($calls[$name] ?? 0) + 1;
            if (str_starts_with($name, 'accept') && $calls[$name] === 2) {
                // What follows is another request.
                --$calls[$name];
                break;
            }
            ++$figures['system calls'];
            [$own, $other] = [$found[2] ?? '', $found[3] ?? ''];
            if ($name === 'connect' && preg_match('/sun_path="([^"]+)"/', $line, $path) === 1) {
                $opened[$own] = $path[1];
            } elseif (\in_array($name, self::SENDS, true)) {
                $server = basename($opened[$own] ?? $paths[$other] ?? '');
                $figures['sends to the database'] += \in_array($server, self::DATABASES, true) ? 1 : 0;
                $figures['sends to memcached'] += $server === 'memcached.sock' ? 1 : 0;
            }
        }
        arsort($calls);
        foreach ($calls as $name => $count) {
            $figures["calls of $name"] = (float) $count;
        }

        return [...$figures, 'connections opened' => (float) \count($opened)];
    }

    /** @return array<string, string> paths by the number of a connection, at the end of the server */
    private static function paths(): array
    {
        preg_match_all('~ (\d+) (/\S+)$~m', (string) file_get_contents('/proc/net/unix'), $found);

        return array_combine($found[1], $found[2]);
    }
}
