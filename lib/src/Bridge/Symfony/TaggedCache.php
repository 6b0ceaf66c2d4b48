<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Dependency;
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
 * Where data changes in a transaction, call Larder\Cache::change()
 * around it instead: after COMMIT, which is when invalidateTags() is called, the old value is still handed out for a
 * moment.
 *
 * A value is stored with the metadata of its item, under a key that no PSR-6 or PSR-16 key can be.
 *
 * @phpstan-type Kept array{value: mixed, expiry: float|null, ctime: int, tags: list<string>}
 */
final readonly class TaggedCache implements TagAwareCacheInterface
{
    private const PREFIX = 'symfony:';

    private Time $time;

    /**
     * @param float|null           $ttl   seconds, of items that say nothing; null: the cache's default
     * @param ClockInterface       $clock for times and intervals; the same as the cache's
     * @param LoggerInterface|null $log   for failures that are not thrown
     */
    public function __construct(
        private Cache $cache,
        private ?float $ttl = null,
        ClockInterface $clock = new SystemClock(),
        private ?LoggerInterface $log = null,
    ) {
        $this->time = new Time($clock);
    }

    /**
     * @template T
     *
     * @param callable(TaggedItem, bool): T $callback may take the second argument by reference, and set it to false:
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
        $name = self::PREFIX . Key::of($key);
        if ($beta !== null && !($beta >= 0.0)) {
            throw InvalidArgument::negative('$beta', $beta);
        }
        if ($beta === INF) {
            $this->cache->delete($name);
        }
        $run = new CallbackRun($key, $callback(...), $this->time, $this->cache->reads(...), $this->ttl);
        try {
            $kept = $this->cache->remember($name, $run->compute(...), $run->ttl(...));
        } catch (UnstorableValue $exception) {
            // The contract reports this in the metadata; the value is handed out all the same.
            $kept = $run->made() ?? throw $exception;
            ($this->log ?? new SparingLogger())->warning(
                'The value of {key} was not saved: {reason}',
                ['key' => $key, 'reason' => $exception->getMessage(), 'exception' => $exception],
            );
        }
        if (\func_num_args() > 3) {
            $metadata = self::metadata($kept);
            if ($run->isToBeKept() && !$this->cache->has($name)) {
                $metadata[ItemInterface::METADATA_SAVE_FAILED] = true;
            }
        }

        /** @var T */
        return $kept['value'];
    }

    public function delete(string $key): bool
    {
        return $this->cache->delete(self::PREFIX . Key::of($key));
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
                        $change->name(Dependency::WORD . $name);
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

    /**
     * @param Kept $kept
     *
     * @return array<string, mixed>
     */
    private static function metadata(array $kept): array
    {
        $metadata = [
            ItemInterface::METADATA_CTIME => $kept['ctime'],
            ItemInterface::METADATA_TAGS => array_combine($kept['tags'], $kept['tags']),
        ];

        return $kept['expiry'] === null ? $metadata : [ItemInterface::METADATA_EXPIRY => $kept['expiry']] + $metadata;
    }
}
