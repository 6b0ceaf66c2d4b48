<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use InvalidArgumentException;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\DirectObjects;
use Larder\Bench\Subject\Encoding\Serializer;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/**
 * Sets a large value under four keys and gets the last, as the source does. Parameters: `shape` (nested, the source's)
 * and `serializer`: `native`, the subject's own, or `php` and `igbinary`, by the application, the client storing what
 * that made. Subjects such as `memcached=igbinary` are the latter as subjects, to stand in one chart with
 * `memcached+igbinary`.
 *
 * Key and turn are in the value, so that another one's, or the one before, is told from it; the rest is compared as a
 * whole, each time, by a text made of it.
 */
final readonly class KeysLarge implements Operations
{
    /** Who stores strings alone, or objects alone, takes part with one of the serializers: the step says which. */
    public function needs(): array
    {
        return [];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every get follows a set.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        $keys = OwnKeys::of($job, $worker, 'large');
        $last = $keys[OwnKeys::COUNT - 1];
        $large = Shape::of($job, Shape::Nested)->make();
        $objects = self::objects($subject, $job);
        $strict = $job->checked;
        $text = self::text($job);
        $expected = $text($large);
        $turn = OwnKeys::firstGeneration($job);

        return new Step(static function () use (
            $objects,
            $keys,
            $last,
            $large,
            $strict,
            $text,
            $expected,
            &$turn,
        ): int {
            ++$turn;
            $value = [];
            foreach ($keys as $key) {
                $value = ['key' => $key, 'turn' => $turn, 'large' => $large];
                $objects->setObject($key, $value);
            }
            $got = $objects->getObject($last);
            // What a floor answers is nothing, and to look at that would be cheaper.
            $got = $strict ? $got : $value;
            if (
                !\is_array($got)
                || \count($got) !== 3
                || ($got['key'] ?? null) !== $last
                || ($got['turn'] ?? null) !== $turn
            ) {
                throw new WrongReply($last . ': not the object that was stored last');
            }
            if ($text($got['large'] ?? null) !== $expected) {
                self::compare($last, $got['large'] ?? null, $large);
            }

            return $objects instanceof DirectObjects ? (OwnKeys::COUNT + 1) * $objects->bytes() : 0;
        }, OwnKeys::COUNT + 1, extras: static fn(): array => self::extras($objects, $job));
    }

    /**
     * What a client's own serializer makes of it, nobody but the client sees.
     *
     * @return array<string, float>
     */
    private static function extras(Objects $objects, Job $job): array
    {
        if (!$objects instanceof DirectObjects) {
            return [];
        }
        $objects->setObject(OwnKeys::of($job, 0, 'large')[0], Shape::of($job, Shape::Nested)->make());

        return ['bytes' => (float) $objects->bytes()];
    }

    private static function objects(Subject $subject, Job $job): Objects
    {
        $serializer = $job->string('serializer', 'native');
        if ($serializer === 'native') {
            return $subject instanceof Objects ? $subject : throw new NotApplicable('has no serializer of its own');
        }
        $encoder = match ($serializer) {
            'php' => new Serializer('php'),
            'igbinary' => \extension_loaded('igbinary')
                ? new Serializer('igbinary')
                : throw new NotApplicable('PHP has no extension igbinary'),
            default => throw new InvalidArgumentException(
                \sprintf('There is no serializer "%s" here. There are: native, php, igbinary.', $serializer),
            ),
        };
        // A client by the name of "memcached+igbinary" is "memcached" to strings, and would stand in the chart twice.
        if (!$subject instanceof KeyValue || str_contains($job->subject, '+')) {
            throw new NotApplicable('is there for its own serializer');
        }

        return new DirectObjects($subject, $encoder, $job->checked);
    }

    /**
     * What a value is compared by.
     *
     * igbinary restores repeated parts as one part in memory. Of those its own text is a thousand times cheaper than
     * serialize()'s, and of parts that are not shared three times as dear: the check shall not outweigh what it checks.
     *
     * @return callable(mixed): ?string
     */
    private static function text(Job $job): callable
    {
        $shares = !$job->checked
            || $job->string('serializer', 'native') === 'igbinary'
            || preg_match('/[+=]igbinary(?:[@#]|$)/', $job->subject) === 1;

        return $shares && \extension_loaded('igbinary') ? igbinary_serialize(...) : serialize(...);
    }

    /** Other texts may still be of the same value, by what it shares. */
    private static function compare(string $key, mixed $got, mixed $large): void
    {
        if (\is_object($large) && \is_array($got)) {
            throw new NotApplicable('gives arrays back in place of objects');
        }
        if (!Shape::same($got, $large)) {
            throw new WrongReply($key . ': the object is not as it was stored');
        }
    }
}
