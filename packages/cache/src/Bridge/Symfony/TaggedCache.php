<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use DateInterval;
use Larder\Cache;
use Larder\Cache\State;
use Larder\Dependency\Change;
use Larder\Dependency\Name;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\SparingLogger;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Key;
use Larder\Psr\Time;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Stringable;
use Symfony\Contracts\Cache\ItemInterface;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

/**
 * A cache behind Symfony's contracts: get() is remember(), tags are dependencies.
 *
 * A tag is the name of data, as for remember() and pages: invalidateTags() drops everything that was made from it, and
 * change() drops the values that carry it as a tag. A tag `post-4` that names no declared table is the word `#post-4`.
 * Where data changes in a transaction, call Larder\Cache::change() around it instead: after COMMIT, which is when
 * invalidateTags() is called, the old value is still handed out for a moment.
 *
 * Keys are the cache's own, so what get() makes is there for Larder\Cache, Larder\Psr\Pool and SimpleCache too, and the
 * other way round.
 */
final readonly class TaggedCache implements TagAwareCacheInterface
{
    private Time $time;

    /** Seconds. */
    private ?float $ttl;

    /**
     * @param int|float|DateInterval|null $ttl   seconds, of items that say nothing; null: the cache's default
     * @param ClockInterface              $clock for times and intervals; the same as the cache's
     * @param LoggerInterface|null        $log   for failures that are not thrown
     *
     * @throws InvalidArgument
     */
    public function __construct(
        private Cache $cache,
        int|float|DateInterval|null $ttl = null,
        ClockInterface $clock = new SystemClock(),
        private ?LoggerInterface $log = null,
    ) {
        $this->time = new Time($clock);
        $this->ttl = $ttl === null ? null : $this->time->seconds($ttl);
    }

    /**
     * @template T
     *
     * @param callable(ItemInterface, bool): T $callback may take the second argument by reference, and set it to false:
     *     not to be kept
     * @param float|null $beta INF: the value is made anew now; anything else is ignored, since the cache's settings say
     *     how early that is done
     * @param array<mixed>|null             $metadata expiry, ctime, tags, save_failed: each only where there is one
     *
     * @return T
     *
     * @throws InvalidArgument
     */
    public function get(string $key, callable $callback, ?float $beta = null, ?array &$metadata = null): mixed
    {
        Key::of($key);
        if ($beta !== null && !($beta >= 0.0)) {
            throw InvalidArgument::negative('$beta', $beta);
        }
        if ($beta === INF) {
            $this->cache->delete($key);
        }
        $run = new CallbackRun($key, $callback(...), $this->time, $this->cache->reads(...), $this->ttl);
        try {
            $value = $this->cache->remember($key, $run->compute(...), static fn(): ?float => $run->ttl());
        } catch (UnstorableValue $exception) {
            // The contract reports this in the metadata; the value is handed out all the same.
            $value = $run->hasMade() ? $run->value() : throw $exception;
            ($this->log ?? new SparingLogger())->warning(
                'The value of {key} was not saved: {reason}',
                ['key' => $key, 'reason' => $exception->getMessage(), 'exception' => $exception],
            );
        }
        if (\func_num_args() > 3) {
            $metadata = $this->metadata($key, $run);
        }

        /** @var T */
        return $value;
    }

    public function delete(string $key): bool
    {
        return $this->cache->delete(Key::of($key));
    }

    /**
     * @param array<mixed> $tags
     *
     * @throws InvalidArgument nothing was invalidated
     */
    public function invalidateTags(array $tags): bool
    {
        $names = array_map(
            static fn(mixed $tag): string => Key::of($tag instanceof Stringable ? (string) $tag : $tag, 'tag'),
            array_values($tags),
        );
        if ($names === []) {
            return true;
        }
        try {
            $this->cache->change([], static function (Change $change) use ($names): void {
                foreach ($names as $name) {
                    try {
                        $change->name($name);
                    } catch (UnknownName) {
                        $change->name(Name::WORD . $name);
                    }
                }
            });
        } catch (UnknownName $exception) {
            throw InvalidArgument::unknown($exception);
        } catch (ChangeFailed $exception) {
            ($this->log ?? new SparingLogger())->error(
                'The tags {tags} were not invalidated: {reason}',
                ['tags' => implode(', ', $names), 'reason' => $exception->getMessage(), 'exception' => $exception],
            );

            return false;
        }

        return true;
    }

    /** @return array<string, mixed> */
    private function metadata(string $key, CallbackRun $run): array
    {
        $there = $this->cache->look($key)[$key];
        if ($there->state === State::Missing) {
            return $run->metadata() + ($run->isToBeKept() ? [ItemInterface::METADATA_SAVE_FAILED => true] : []);
        }
        $tags = array_map(
            static fn(string $name): string => $name[0] === Name::WORD ? substr($name, 1) : $name,
            $there->names,
        );

        return array_filter([
            ItemInterface::METADATA_EXPIRY => $there->freshFor === null ? null : $this->time->now() + $there->freshFor,
            ItemInterface::METADATA_CTIME => $there->cost === null ? null : (int) ceil($there->cost * 1e3),
        ], is_numeric(...)) + [ItemInterface::METADATA_TAGS => array_combine($tags, $tags)];
    }
}
