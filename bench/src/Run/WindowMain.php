<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Thrown;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/** The process of one window: an Order in, a Measured or what was thrown out. */
final readonly class WindowMain
{
    public function run(): int
    {
        // A group of its own: whoever gives up on this process ends the workers with it.
        posix_setsid();
        $order = unserialize((string) base64_decode((string) stream_get_contents(STDIN), true), ['allowed_classes' => [Order::class, Job::class, Endpoint::class]]);
        if (!$order instanceof Order) {
            fwrite(STDERR, "This is a part of larder-bench and of no use by hand.\n");

            return 2;
        }
        try {
            $outcome = self::measure($order);
        } catch (Throwable $thrown) {
            $outcome = Thrown::of($thrown);
        }
        fwrite(STDOUT, base64_encode(serialize($outcome)));

        return 0;
    }

    private static function measure(Order $order): Measured|true
    {
        $bench = Bench::standard($order->subjects);
        $subject = $bench->catalogue->get($order->job->subject);
        $workload = $bench->tests->get($order->job->test)->workload;
        if ($order->prepare) {
            $workload->prepare($order->job, $subject);

            return true;
        }

        return $workload->measure($order->job, $subject);
    }
}
