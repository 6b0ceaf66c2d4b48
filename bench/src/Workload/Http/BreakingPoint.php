<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\ThroughFpm;

/**
 * More and more connections, to find the breaking point: the lowest number of them at which more than one reply in a
 * thousand is an error. The window is that of the highest number below it; without the figure there was no breaking
 * point.
 *
 * Each step requests for the window's seconds. Parameters: `ladder` ("50:100:150:200"), `keepalive` (false), and the
 * operations'.
 */
final readonly class BreakingPoint implements ThroughFpm
{
    /** Share of errors that breaks it. */
    private const BROKEN = 0.001;

    private ClientTargets $targets;

    public function __construct(Operations $operations)
    {
        $this->targets = new ClientTargets($operations);
    }

    public function refuses(Definition $subject): ?string
    {
        return $this->targets->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $this->targets->prepare($job, $subject);
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $target = $this->targets->target($job, $subject);
        $keepAlive = ($job->parameters['keepalive'] ?? false) === true;
        $wrk = new Wrk($job->directory);
        $measured = $error = null;
        $extra = [];
        foreach (self::ladder($job) as $connections) {
            $warmUp = $wrk->warmUp($target, $connections, $keepAlive, $job->warmUp);
            $share = 1.0;
            $step = null;
            try {
                $step = Pages::measured(
                    $job,
                    $target,
                    $warmUp->wrong === null
                        ? $wrk->measure($target, $connections, $keepAlive, $job->seconds)->after($warmUp)
                        : $warmUp,
                );
                $share = (float) ($step->window->errors / ($step->window->errors + $step->window->operations));
                $error ??= $step->firstError;
            } catch (Failed $failed) {
                $error ??= $failed->getMessage();
            }
            $extra[\sprintf('errors %% at %d connections', $connections)] = $share * 100;
            $extra[\sprintf('requests/s at %d connections', $connections)] = $step?->window->rate() ?? 0.0;
            if ($share > self::BROKEN) {
                $extra['breaking point, connections'] = (float) $connections;
                $measured ??= $step;
                break;
            }
            $measured = $step;
        }
        if ($measured === null) {
            throw new Failed($error ?? 'no right reply');
        }

        return new Measured(
            $measured->window,
            $measured->latency,
            $measured->flags,
            [...$measured->extra, ...$extra],
            $error,
            $measured->coverage,
        );
    }

    /** @return non-empty-list<int> */
    private static function ladder(Job $job): array
    {
        $ladder = array_map(intval(...), explode(':', $job->string('ladder', '50:100:150:200')));
        sort($ladder);

        return $ladder[0] >= 1
            ? $ladder
            : throw new InvalidArgumentException('ladder must be numbers of connections, such as 50:100');
    }
}
