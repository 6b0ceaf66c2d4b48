<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Throwable;

/**
 * Encodes a value, or decodes it. Parameter: `shape` (rows). An encoder that cannot carry a shape takes no part in it.
 *
 * The round trip is checked to the last type before the clock runs. Then every encoding must give the same bytes again.
 * Comparing every decoded value whole would cost more than some decoders take. So one leaf of each value is checked,
 * another leaf each time, and the first, second, fourth, eighth and so on are compared whole, as is one after the
 * window.
 */
final readonly class Coding implements Operations
{
    private const LEAVES = 256;

    public function __construct(private bool $decode) {}

    public function needs(): array
    {
        return [Encoder::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Nothing is stored.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Encoder);
        $shape = Shape::of($job, Shape::Rows);
        $value = $shape->make();
        $bytes = self::roundTrip($subject, $shape, $value);
        // After the window one more value is compared whole.
        $extras = static fn(): array => [
            'bytes' => (float) \strlen(self::roundTrip($subject, $shape, $shape->make())),
        ];

        if (!$this->decode) {
            return new Step(self::encoding($subject, $value, $bytes), extras: $extras);
        }
        $how = \sprintf('at one of %d places in turn', self::LEAVES);

        return new Step(self::decoding($subject, $value, $bytes, $job->seed + $worker), how: $how, extras: $extras);
    }

    /** @return \Closure(): int */
    private static function encoding(Encoder $encoder, mixed $value, string $bytes): \Closure
    {
        $length = \strlen($bytes);

        return static function () use ($encoder, $value, $bytes, $length): int {
            if ($encoder->encode($value) !== $bytes) {
                throw new WrongReply('the same value gave other bytes');
            }

            return $length;
        };
    }

    /** @return \Closure(): int */
    private static function decoding(Encoder $encoder, mixed $value, string $bytes, int $seed): \Closure
    {
        $length = \strlen($bytes);
        $leaves = SampledLeaf::in($value, $seed, self::LEAVES);
        $turn = 0;

        return static function () use ($encoder, $value, $bytes, $length, $leaves, &$turn): int {
            $decoded = $encoder->decode($bytes);
            if (
                !$leaves[++$turn % self::LEAVES]->isIn($decoded)
                || (($turn & $turn - 1) === 0 && !Shape::same($decoded, $value))
            ) {
                throw new WrongReply(\sprintf('decoding %d gave another value than was encoded', $turn));
            }

            return $length;
        };
    }

    private static function roundTrip(Encoder $encoder, Shape $shape, mixed $value): string
    {
        try {
            $bytes = $encoder->encode($value);
            $decoded = $encoder->decode($bytes);
        } catch (Throwable $thrown) {
            throw new NotApplicable('cannot carry this: ' . $thrown->getMessage(), 0, $thrown);
        }
        if (Shape::same($decoded, $value)) {
            return $bytes;
        }

        // Every serializer must keep plain data. Some document that they do not keep objects.
        throw $shape->hasObjects()
            ? new NotApplicable('does not give objects back as they were')
            : new WrongReply('the decoded value is not the one that was encoded');
    }
}
