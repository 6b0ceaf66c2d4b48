<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\ServerFailed;

/**
 * More and more connections, up to the breaking point: the lowest number of them at which more than one reply in a
 * thousand is an error. The window is that of the highest number below it. Without the figure nothing broke.
 *
 * Each number gets the seconds of the window. Parameters: `ladder` ("50:100:150:200"), `keepalive` (false), and those
 * of the targets.
 */
final readonly class BreakingPoint extends OverHttp
{
    /** A greater share of errors is broken. */
    private const BROKEN = 0.001;

    protected function load(Job $job, Target $target): Measured
    {
        $loop = new ClosedLoop($job, $target);
        $keepAlive = ($job->parameters['keepalive'] ?? false) === true;
        $measured = $error = null;
        $extra = [];
        foreach (self::numbers($job) as $connections) {
            $step = null;
            $share = 1.0;
            try {
                $step = $loop->window($connections, $keepAlive);
                $share = (float) ($step->window->errors / ($step->window->errors + $step->window->operations));
                $error ??= $step->firstError;
            } catch (Failed|ServerFailed $failed) {
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

    /** @return non-empty-list<int> of connections */
    private static function numbers(Job $job): array
    {
        $numbers = array_map(intval(...), explode(':', $job->string('ladder', '50:100:150:200')));
        sort($numbers);

        return $numbers[0] >= 1
            ? $numbers
            : throw new InvalidArgumentException('ladder must be numbers of connections, such as 50:100');
    }
}
