<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Tests;
use Larder\Bench\Workload\Thrown;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/**
 * The process of one window.
 *
 * Its first line of input is what to do. A test that runs in turns prints "ready" before each turn and reads a line
 * "turn" or "end". The last line of output is a Measured, or what was thrown.
 */
final readonly class WindowMain
{
    public function run(): int
    {
        // Its workers are in its process group, so that all of them can be killed together.
        posix_setsid();
        $order = unserialize(
            (string) base64_decode((string) fgets(STDIN), true),
            ['allowed_classes' => [Job::class, Endpoint::class]],
        );
        [$job, $prepare, $subjects] = \is_array($order) ? $order + [null, null, null] : [null, null, null];
        if (!$job instanceof Job) {
            fwrite(STDERR, "larder-bench starts this program; it is of no use by hand.\n");

            return 2;
        }
        try {
            $outcome = self::measure($job, $prepare === true, \is_string($subjects) ? $subjects : null);
        } catch (Throwable $thrown) {
            $outcome = Thrown::of($thrown);
        }
        fwrite(STDOUT, base64_encode(serialize($outcome)) . "\n");

        return 0;
    }

    private static function measure(Job $job, bool $prepare, ?string $subjects): Measured|true
    {
        $catalogue = Planner::catalogue($subjects);
        $subject = $catalogue->get($job->subject);
        $workload = Tests::standard($catalogue)->get($job->test)->workload;
        if ($prepare) {
            $workload->prepare($job, $subject);

            return true;
        }

        return $workload instanceof InProcess
            ? $workload->measureInTurns($job, $subject, static function (): bool {
                fwrite(STDOUT, WindowProcess::READY . "\n");

                return trim((string) fgets(STDIN)) === WindowProcess::TURN;
            })
            : $workload->measure($job, $subject);
    }
}
