<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Quantile;
use Larder\Testbed\Server\Cpu;

/**
 * Asks one worker of php-fpm, again and again. The window's time is that of waiting for answers; the CPU of the client
 * is the worker's, and that of the server is the database's.
 */
final readonly class RequestCosts implements Workload
{
    /** By then OPcache has all files, and the worker what it makes once. */
    private const WARM = 10;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Timed::class) ? null : 'is no request to php-fpm';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window warms its worker.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $timed = ($subject->make)();
        $timed instanceof Timed || throw new NotApplicable('is no request to php-fpm');
        $timed->connect($job->context());
        for ($warm = $job->int('pages', 0) > 0 ? self::WARM - 1 : 0; $warm < self::WARM; ++$warm) {
            $timed->once($job);
        }
        $database = (int) ($job->context()->serverOfWorker()->extra['database'] ?? 0);
        $latency = new Histogram();
        $times = [];
        $cpu = 0.0;
        $server = Cpu::ofTree($database);
        $begin = hrtime(true);
        do {
            [$took, $used] = $timed->once($job);
            $latency->record($took);
            $times[] = $took / 1e3;
            $cpu += $used;
        } while (hrtime(true) - $begin < $job->seconds * 1e9);
        $server = Cpu::ofTree($database) - $server;
        $requests = \count($times);
        $classes = $timed->classes($job);
        $timed->close();

        return new Measured(
            new Window(
                $job->block,
                0,
                array_sum($times) / 1e6,
                $requests,
                0,
                0,
                $cpu,
                $server,
                [$requests],
            ),
            $latency,
            extra: [
                'us, median' => Quantile::median($times),
                'us of PHP\'s processor' => $cpu / $requests,
                ...($database === 0 ? [] : ['us of the database\'s processor' => $server / $requests]),
                ...($classes === null ? [] : ['classes of Larder\'s' => (float) $classes]),
            ],
            coverage: Coverage::every($requests),
        );
    }
}
