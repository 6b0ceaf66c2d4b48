<?php

declare(strict_types=1);

namespace Larder\Bridge\Symfony;

use Larder\Cache;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
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
 * A tag is the name of data, the same that remember() and pages know: invalidateTags() drops all that was made from it,
 * and change() drops what carries it as a tag. Where data is in a transaction, call Larder\Cache::change() around it
 * instead: what is told after COMMIT, as here, leaves a moment in which the old value is still handed out.
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
     * @param LoggerInterface|null $log   is told what fails and is not thrown
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
     * @param float|null $beta INF: what is there ends now; else the cache's settings say how early a value is made anew
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
        $making = new Making($key, $callback(...), $this->time, $this->cache->reads(...), $this->ttl);
        try {
            $kept = $this->cache->remember($name, $making->compute(...), $making->ttl(...));
        } catch (UnstorableValue $exception) {
            // The contract has a way to tell that: it is no reason to throw a value away.
            $kept = $making->made() ?? throw $exception;
            $this->log?->warning(
                'The value of {key} was not saved: {reason}',
                ['key' => $key, 'reason' => $exception->getMessage(), 'exception' => $exception],
            );
        }
        if (\func_num_args() > 3) {
            $metadata = self::metadata($kept);
            if ($making->isToBeKept() && !$this->cache->has($name)) {
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
            $this->cache->change($names, static fn(): null => null);
        } catch (UnknownName $exception) {
            throw InvalidArgument::unknown($exception);
        } catch (ChangeFailed $exception) {
            $this->log?->error(
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
