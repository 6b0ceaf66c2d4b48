<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Session;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Server\Fpm;
use Larder\Bench\Server\Kind;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Local\LocalSubjects;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Program;
use Larder\Bench\Workload\Workload;
use Larder\Store\MemcachedStore;
use Larder\Testbed\ClassMap;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\IniFiles;
use ReflectionClass;

/**
 * Requests that begin a session, count in it and write it, by nginx and a php-fpm of their own with a worker for each
 * connection. A save handler has its usual settings.
 *
 * Parameters: `connections` (50) and `session`: `apart`, where each worker has its own, or `one`, which all have. A
 * request that was answered and is not in its session is a wrong answer; one that did not get the lock in time, an
 * error.
 */
final readonly class Sessions implements Workload
{
    /** Seconds until all workers have begun. */
    private const WARM_UP = 0.5;

    /** To read a session, a tenth of a second apart. */
    private const TRIES = 50;

    /** @return list<Definition> */
    public static function subjects(): array
    {
        $rows = [
            'memcached' => 'php-memcached',
            'larder-memcached' => 'Larder\'s module memcached',
            'memcache' => 'php-memcache',
            'larder-memcache' => 'Larder\'s module memcache',
            'handler' => 'Larder\Session\Handler on memcached',
        ];

        return array_map(static fn(string $id, string $title): Definition => Program::definition(
            "session-$id",
            $title,
            ['client' => $title],
            Kind::Memcached,
            [str_starts_with($id, 'memcache') ? $id : 'larder'],
            // A window, too, looks for the modules beside it.
            LocalSubjects::loaded('larder'),
        ), array_keys($rows), $rows);
    }

    public function refuses(Definition $subject): ?string
    {
        return str_starts_with($subject->id, 'session-') ? null : 'keeps no sessions';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window begins its sessions.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $directory = "$job->directory/s" . getmypid();
        $connections = $job->int('connections', 50);
        $of = match ($session = $job->string('session', 'apart')) {
            'apart' => '',
            'one' => 'of=one',
            default => throw new \InvalidArgumentException("session must be apart or one, not $session"),
        };
        $fpm = self::fpm($job, $subject, $directory, $connections);
        try {
            $url = ($fpm->endpoint()->extra['url'] ?? '') . '/session.php?';
            $wrk = new Wrk($directory);
            // The one session must be there before all come at once.
            @file_get_contents("{$url}see&$of");
            $wrk->flood("$url$of", $connections, self::WARM_UP);
            $before = self::counted($url, "$directory/tmp");
            $pids = [...$fpm->endpoint()->pids, ...$job->context()->serverOfWorker()->pids];
            $cpu = Cpu::of($pids);
            $report = $wrk->flood("$url$of", $connections, $job->seconds);
            $cpu = Cpu::of($pids) - $cpu;
            $answered = $report->requests - $report->refused;
            // wrk does not count what is under way when it ends, so more may be there.
            $lost = $answered - self::counted($url, "$directory/tmp") + $before;
        } finally {
            $fpm->stop();
        }
        if ($lost > 0) {
            throw new WrongReply("$lost of $answered requests were answered and are in no session");
        }
        if ($answered === 0) {
            throw new Failed('no request was answered');
        }
        $latency = new Histogram();
        foreach ($report->latencies as $microseconds => $replies) {
            $latency->record($microseconds * 1000, max(1, $replies));
        }
        $errors = $report->refused + $report->broken;

        return new Measured(
            new Window(
                $job->block,
                0,
                $report->microseconds / 1e6,
                $answered,
                $errors,
                0,
                0.0,
                $cpu,
                [$answered],
            ),
            $latency,
            extra: ['p99 of requests, ms' => $report->percentile(0.99) / 1e3, 'refused' => (float) $errors],
            firstError: $report->error,
            coverage: Coverage::every($answered, 'by the count in the session'),
        );
    }

    private static function fpm(Job $job, Definition $subject, string $directory, int $workers): Fpm
    {
        $handler = substr($subject->id, \strlen('session-'));
        $module = preg_match('/memcached?$/D', $handler, $found) === 1 ? $found[0] : null;
        $isOurs = $handler !== $module;
        $file = LocalSubjects::beside('larder', ($module ?? 'larder') . '.so');
        if ($isOurs && !is_file($file)) {
            throw new NotApplicable("there is no $file");
        }
        $address = $job->context()->serverOfWorker()->address();
        mkdir($directory);
        $environment = IniFiles::copied("$directory/copied", $isOurs && $module !== null ? [$module] : [], [
            ['opcache.validate_timestamps', '0'],
            ['opcache.file_update_protection', '0'],
            ['session.use_cookies', '0'],
            ['session.cache_limiter', ''],
            ['session.gc_probability', '0'],
            ...($isOurs ? [['extension', $file]] : []),
        ]);
        if ($module === null) {
            // Of the Larder that is measured, as a host in production has it.
            $packages = \dirname((string) (new ReflectionClass(MemcachedStore::class))->getFileName(), 4);
            $composer = (new ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName();
            ClassMap::write($directory, \dirname((string) $composer, 2), $packages);
            $environment['HANDLER'] = "$directory/autoload.php";
        }

        return new Fpm(
            $directory,
            \dirname(__DIR__, 3) . '/libexec/session',
            $workers,
            [...$environment, 'IDS' => "$directory/tmp/", 'MEMCACHED' => $address],
            fixed: $module === null ? [] : [
                'session.save_handler' => $module,
                'session.save_path' => $module === 'memcache' ? "tcp://$address" : $address,
            ],
        );
    }

    /** @return int requests that are in the sessions */
    private static function counted(string $url, string $ids): int
    {
        $sum = 0;
        foreach (array_diff((array) scandir($ids), ['.', '..']) as $of) {
            // What the load left under way may hold the lock.
            $count = @file_get_contents("{$url}see&of=$of");
            for ($tries = self::TRIES; !is_numeric($count) && $tries > 0; --$tries) {
                usleep(100_000);
                $count = @file_get_contents("{$url}see&of=$of");
            }
            $sum += is_numeric($count) ? (int) $count : throw new Failed("the session $of cannot be read");
        }

        return $sum;
    }
}
