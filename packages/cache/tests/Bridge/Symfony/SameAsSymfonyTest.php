<?php

declare(strict_types=1);

namespace Larder\Tests\Bridge\Symfony;

use Closure;
use DateTimeImmutable;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Store\ArrayStore;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;
use Symfony\Component\Cache\Adapter\ArrayAdapter;
use Symfony\Component\Cache\Adapter\TagAwareAdapter;
use Symfony\Contracts\Cache\ItemInterface;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

/**
 * The same calls to Symfony's own adapter and to ours have the same results: values, whether they were made, and
 * metadata.
 *
 * Left out is where we differ on purpose: with beta INF and a value that is not to be saved, Symfony keeps the old one;
 * and tags of a value that was made inside another one's callback count for the outer one too.
 */
#[CoversClass(TaggedCache::class)]
final class SameAsSymfonyTest extends TestCase
{
    private const CALLS = 400;

    private SteppedClock $clock;

    private Randomizer $random;

    protected function setUp(): void
    {
        if (!class_exists(TagAwareAdapter::class)) {
            self::markTestSkipped('needs symfony/cache');
        }
        $this->clock = new SteppedClock();
        // Symfony's items look at the real clock too, to see whether they are over: this one is always ahead of it.
        $this->clock->seconds = ceil(microtime(true)) + 1000.0;
    }

    /** @return iterable<string, array{int}> */
    public static function seeds(): iterable
    {
        foreach (range(1, 8) as $seed) {
            yield "seed $seed" => [$seed];
        }
    }

    #[DataProvider('seeds')]
    public function testAnyCallsHaveTheSameResults(int $seed): void
    {
        $this->random = new Randomizer(new Mt19937($seed));
        $store = new ArrayStore($this->clock);
        $ours = new TaggedCache(
            new Cache(
                $store,
                new Gates($store, inTransaction: static fn(): bool => false),
                settings: new Settings(grace: 0.0, early: 0.0),
                clock: $this->clock,
            ),
            clock: $this->clock,
        );
        $theirs = new TagAwareAdapter(new ArrayAdapter(clock: $this->clock), null, 0.0);
        $hits = 0;
        for ($call = 1; $call <= self::CALLS; ++$call) {
            [$told, $do] = $this->call($call);
            $expected = $do($theirs);
            self::assertSame($expected, $do($ours), "call $call: $told");
            $hits += ($expected['made'] ?? true) === false ? 1 : 0;
        }

        self::assertGreaterThan(self::CALLS / 10, $hits, 'enough of it was found');
    }

    /** @return array{string, Closure(TagAwareCacheInterface): array<string, mixed>} */
    private function call(int $call): array
    {
        $key = $this->one(['a', 'b', 'c.d', 'E', 'ü', '7']);
        switch ($this->random->getInt(0, 9)) {
            case 0:
                return [
                    "delete $key",
                    static fn(TagAwareCacheInterface $cache): array => ['deleted' => $cache->delete($key)],
                ];
            case 1:
            case 2:
                $tags = $this->some(['x', 'y', 'z', 'v.1']);

                return [
                    'invalidate ' . implode(', ', $tags),
                    static fn(TagAwareCacheInterface $cache): array => ['invalidated' => $cache->invalidateTags($tags)],
                ];
            case 3:
                $this->clock->seconds += $this->random->getInt(1, 5);

                return ['wait', static fn(): array => []];
            default:
                return $this->get($key, $call);
        }
    }

    /** @return array{string, Closure(TagAwareCacheInterface): array<string, mixed>} */
    private function get(string $key, int $call): array
    {
        $value = $this->one([null, false, 0, "text $call", [$call => [$call]]]);
        $tags = $this->some(['x', 'y', 'z', 'v.1']);
        $ttl = $this->one([null, null, -1, 0, 2, 5, 100]);
        $beta = $this->one([0.0, 0.0, 0.0, INF]);
        $save = $beta === INF || $this->random->getInt(0, 4) > 0;
        $end = $ttl === null ? null : new DateTimeImmutable('@' . (int) $this->clock->seconds + $ttl);
        $told = \sprintf(
            'get %s with tags %s, ttl %s, beta %s%s',
            $key,
            implode(', ', $tags),
            $ttl ?? 'none',
            $beta,
            $save ? '' : ', not saved',
        );

        return [$told, static function (TagAwareCacheInterface $cache) use (
            $key,
            $value,
            $tags,
            $end,
            $beta,
            $save,
        ): array {
            $made = false;
            $got = $cache->get($key, static function (
                ItemInterface $item,
                bool &$isSaved,
            ) use ($value, $tags, $end, $save, &$made): mixed {
                $made = true;
                $isSaved = $save;
                $item->tag($tags)->expiresAt($end);

                return $value;
            }, $beta, $metadata);
            // What the contract says of metadata is what the cached item has; that of one just made they tell in part
            // only.
            $metadata = $made ? [] : array_diff_key($metadata ?? [], [ItemInterface::METADATA_CTIME => true]);
            ksort($metadata);

            return ['value' => $got, 'made' => $made, 'metadata' => $metadata];
        }];
    }

    /**
     * @template T
     *
     * @param non-empty-list<T> $choices
     *
     * @return T
     */
    private function one(array $choices): mixed
    {
        return $choices[$this->random->getInt(0, \count($choices) - 1)];
    }

    /**
     * @param list<string> $choices
     *
     * @return list<string>
     */
    private function some(array $choices): array
    {
        return array_values(array_filter($choices, fn(): bool => $this->random->getInt(0, 2) === 0));
    }
}
