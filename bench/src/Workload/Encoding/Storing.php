<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Stores a value that the client serializes, or reads it. Parameter: `shape` (rows).
 *
 * The first, second, fourth, eighth and so on of what is read is compared whole, or what was stored read back; of the
 * others each one has the type.
 */
final readonly class Storing implements Operations
{
    public function __construct(private bool $get) {}

    public function needs(): array
    {
        return [Objects::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Each worker stores its own, in step().
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Objects);
        $value = Shape::of($job, Shape::Rows)->make();
        // Subjects with other serializers are on the same server.
        $key = 'stored-' . bin2hex(random_bytes(6));
        $length = \strlen(serialize($value));
        $get = $this->get;
        $subject->setObject($key, $value);
        $turn = 0;

        return new Step(static function () use ($subject, $value, $key, $length, $get, &$turn): int {
            if (!$get) {
                $subject->setObject($key, $value);
            }
            $isCompared = (++$turn & $turn - 1) === 0;
            $read = $get || $isCompared ? $subject->getObject($key) : $value;
            if (\gettype($read) !== \gettype($value) || ($isCompared && !Shape::same($read, $value))) {
                throw new WrongReply(\sprintf('call %d gave another value than was stored', $turn));
            }

            return $length;
        }, how: 'by its type, and the first, second, fourth, eighth and so on whole');
    }
}
