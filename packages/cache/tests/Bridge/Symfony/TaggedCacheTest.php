<?php

declare(strict_types=1);

namespace Larder\Tests\Bridge\Symfony;

use ArrayIterator;
use Closure;
use DateInterval;
use DateTimeImmutable;
use Larder\Bridge\Symfony\CallbackRun;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Bridge\Symfony\TaggedItem;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Exception\LarderException;
use Larder\Exception\UnstorableValue;
use Larder\Psr\Pool;
use Larder\Psr\SimpleCache;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Tests\Discovery\SteppedClock;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Cache\CacheItemInterface;
use Psr\Cache\InvalidArgumentException;
use RuntimeException;
use Symfony\Contracts\Cache\CacheInterface;
use Symfony\Contracts\Cache\CallbackInterface;
use Symfony\Contracts\Cache\ItemInterface;
use Symfony\Contracts\Cache\TagAwareCacheInterface;
use Throwable;

#[CoversClass(TaggedCache::class)]
#[CoversClass(TaggedItem::class)]
#[CoversClass(CallbackRun::class)]
final class TaggedCacheTest extends TestCase
{
    private SteppedClock $clock;

    private Cache $cache;

    private TaggedCache $tagged;

    /** How often a value was made. */
    private int $made = 0;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->clock->seconds = 1_800_000_000.0;
        $store = new ArrayStore($this->clock);
        $this->cache = new Cache(
            $store,
            new Gates($store, inTransaction: static fn(): bool => false),
            settings: new Settings(grace: 0.0, early: 0.0),
            clock: $this->clock,
        );
        $this->tagged = new TaggedCache($this->cache, clock: $this->clock);
    }

    public function testIsBothContracts(): void
    {
        self::assertContains(CacheInterface::class, class_implements($this->tagged));
        self::assertContains(TagAwareCacheInterface::class, class_implements($this->tagged));
    }

    public function testMakesAValueOnce(): void
    {
        foreach ([null, false, 0, 'text', [1, 'a' => [2]]] as $i => $value) {
            $make = function () use ($value): mixed {
                ++$this->made;

                return $value;
            };
            self::assertSame($value, $this->value("k$i", $make));
            self::assertSame($value, $this->value("k$i", $make));
            self::assertSame($i + 1, $this->made);
        }
    }

    public function testTheCallbackIsGivenTheItem(): void
    {
        $this->tagged->get('k', static function (CacheItemInterface $item): int {
            self::assertContains(ItemInterface::class, class_implements($item));
            self::assertSame(
                ['k', false, null, []],
                [$item->getKey(), $item->isHit(), $item->get(), $item->getMetadata()],
            );
            self::assertSame('set', $item->set('set')->get());

            return 1;
        });
    }

    public function testTakesWhatCanBeCalled(): void
    {
        $callback = new class implements CallbackInterface {
            public function __invoke(CacheItemInterface $item, bool &$save): mixed
            {
                $save = false;

                return $item->getKey();
            }
        };

        self::assertSame('k', $this->value('k', $callback));
        self::assertSame(1, $this->misses('k'), 'it was not kept');
    }

    public function testTheValueSaysHowLongItIsKept(): void
    {
        $ends = [
            'seconds' => static fn(ItemInterface $item): ItemInterface => $item->expiresAfter(10),
            'interval' => static fn(ItemInterface $item): ItemInterface => $item->expiresAfter(
                new DateInterval('PT10S'),
            ),
            'time' => static fn(ItemInterface $item): ItemInterface => $item->expiresAt(
                new DateTimeImmutable('@1800000010'),
            ),
        ];
        foreach ($ends as $key => $end) {
            $this->clock->seconds = 1_800_000_000.0;
            $this->tagged->get($key, static function (ItemInterface $item) use ($end): int {
                $end($item);

                return 1;
            });
            $this->clock->seconds += 9.9;
            self::assertSame(0, $this->misses($key), $key);
            $this->clock->seconds += 0.1;
            self::assertSame(1, $this->misses($key), $key);
        }
    }

    public function testWhatIsOverIsNotKept(): void
    {
        $value = $this->value('k', static fn(ItemInterface $item): string => $item->expiresAfter(0)->getKey());

        self::assertSame('k', $value);
        self::assertSame(1, $this->misses('k'));
    }

    public function testTheDefaultLifetime(): void
    {
        $tagged = new TaggedCache($this->cache, 10.0, $this->clock);
        $tagged->get('short', static fn(): int => 1);
        $tagged->get('own', static fn(ItemInterface $item): string => $item->expiresAfter(60)->getKey());
        [, $metadata] = self::told($tagged, static fn(): int => 1);
        self::assertSame(1_800_000_010.0, $metadata[ItemInterface::METADATA_EXPIRY] ?? null);
        $this->clock->seconds += 10;

        self::assertSame([1, 0], [$this->misses('short'), $this->misses('own')]);
    }

    public function testAValueThatIsNotToBeSavedIsNot(): void
    {
        [$value, $metadata] = self::told($this->tagged, static function (ItemInterface $item, bool &$save): int {
            $save = false;

            return 7;
        });

        self::assertSame(7, $value);
        self::assertArrayNotHasKey(ItemInterface::METADATA_SAVE_FAILED, $metadata);
        self::assertSame(1, $this->misses('k'));
    }

    public function testInfinityEndsWhatIsThere(): void
    {
        $this->tagged->get('k', static fn(): string => 'old');

        self::assertSame('old', $this->value('k', static fn(): string => 'new', 0.0));
        self::assertSame('new', $this->value('k', static fn(): string => 'new', INF));
        self::assertSame('new', $this->value('k', static fn(): string => 'newer'));
    }

    /** @return iterable<string, array{float}> */
    public static function noBetas(): iterable
    {
        yield 'negative' => [-0.1];
        yield 'minus infinity' => [-INF];
        yield 'no number' => [NAN];
    }

    #[DataProvider('noBetas')]
    public function testRefusesABetaBelowZero(float $beta): void
    {
        self::assertRefused(fn(): mixed => $this->tagged->get('k', static fn(): int => 1, $beta));
    }

    public function testTellsTheMetadata(): void
    {
        $make = static function (ItemInterface $item): int {
            usleep(2_000);
            $item->tag(['b', '7'])->expiresAfter(60);

            return 1;
        };
        [, $made] = self::told($this->tagged, $make);
        [, $found] = self::told($this->tagged, $make);

        self::assertSame($made, $found);
        self::assertSame(
            [ItemInterface::METADATA_EXPIRY, ItemInterface::METADATA_CTIME, ItemInterface::METADATA_TAGS],
            array_keys($found),
        );
        self::assertSame(1_800_000_060.0, $found[ItemInterface::METADATA_EXPIRY] ?? null);
        self::assertGreaterThanOrEqual(2, $found[ItemInterface::METADATA_CTIME] ?? null);
        self::assertSame(['b' => 'b', 7 => '7'], $found[ItemInterface::METADATA_TAGS] ?? null);
    }

    public function testTellsThatAValueCouldNotBeSaved(): void
    {
        $tagged = new TaggedCache(new Cache(new NullStore()));
        [$value, $metadata] = self::told($tagged, static fn(): int => 7);

        self::assertSame(7, $value);
        self::assertTrue($metadata[ItemInterface::METADATA_SAVE_FAILED] ?? null);
    }

    public function testAValueThatCannotBeStoredIsReturned(): void
    {
        $log = new TestLog();
        $tagged = new TaggedCache($this->cache, clock: $this->clock, log: $log);
        [$value, $metadata] = self::told($tagged, static fn(): array => [static fn(): int => 7]);

        self::assertIsArray($value);
        self::assertInstanceOf(Closure::class, $value[0]);
        self::assertTrue($metadata[ItemInterface::METADATA_SAVE_FAILED] ?? null);
        self::assertCount(1, $log->lines());
    }

    public function testWhatTheCallbackCannotStoreElsewhereIsThrown(): void
    {
        $thrown = self::thrownBy(
            fn(): mixed => $this->tagged->get(
                'k',
                fn(): mixed => $this->cache->remember('inner', static fn(): Closure => static fn(): int => 7),
            ),
        );

        self::assertInstanceOf(UnstorableValue::class, $thrown);
    }

    public function testATagEndsValues(): void
    {
        $this->keep('one', 'red');
        $this->keep('both', 'red', 'blue');
        $this->keep('other', 'blue');
        $this->keep('none');
        self::assertTrue($this->tagged->invalidateTags(['red', 'unknown']));

        self::assertSame([1, 1, 0, 0], array_map($this->misses(...), ['one', 'both', 'other', 'none']));
        self::assertTrue($this->tagged->invalidateTags([]));
        self::assertTrue($this->tagged->invalidateTags(['blue']));
        self::assertSame(
            [0, 0, 1, 0],
            array_map($this->misses(...), ['one', 'both', 'other', 'none']),
            'those made anew by misses() have no tag',
        );
    }

    public function testTagsOfAnyForm(): void
    {
        [, $metadata] = self::told($this->tagged, static function (ItemInterface $item): int {
            self::assertInstanceOf(TaggedItem::class, $item);
            $item->tag('one')->tag(['two', 'one'])->tag(new ArrayIterator(['three', new StringableTag('four')]));

            return 1;
        });

        self::assertSame(
            ['one' => 'one', 'two' => 'two', 'three' => 'three', 'four' => 'four'],
            $metadata[ItemInterface::METADATA_TAGS] ?? null,
        );
        foreach (['two', 'three', 'four'] as $tag) {
            $this->tagged->get('k' . $tag, static function (ItemInterface $item) use ($tag): int {
                self::assertInstanceOf(TaggedItem::class, $item);
                $item->tag(new ArrayIterator(['one', new StringableTag($tag)]));

                return 1;
            });
            $this->tagged->invalidateTags([$tag]);
            self::assertSame(1, $this->misses('k' . $tag), $tag);
        }
    }

    public function testATagIsADependency(): void
    {
        $this->keep('tagged', 'news');
        $this->cache->remember('read', static fn(): int => 1, 60.0, reads: ['news']);
        $this->cache->remember('not read', static fn(): int => 1, 60.0);
        $this->tagged->invalidateTags(['news']);
        self::assertFalse($this->cache->has('read'));
        self::assertSame(1, $this->misses('tagged'));
        $this->keep('tagged again', 'news');
        $this->cache->change(['news'], static fn(): null => null);

        self::assertSame(1, $this->misses('tagged again'));
        self::assertTrue($this->cache->has('not read'));
    }

    public function testAChangeWhileTheValueIsMadeIsNotMissed(): void
    {
        [$value, $metadata] = self::told($this->tagged, function (ItemInterface $item): string {
            $read = 'old';
            $this->tagged->invalidateTags(['news']);
            $item->tag('news');

            return $read;
        });

        self::assertSame('old', $value, 'the caller gets it');
        self::assertTrue($metadata[ItemInterface::METADATA_SAVE_FAILED] ?? null);
        self::assertSame(1, $this->misses('k'), 'and nobody else');
    }

    public function testWhatTheInnerValueWasMadeFromEndsTheOuterOne(): void
    {
        $this->tagged->get('outer', fn(): int => $this->tagged->get('inner', static function (
            ItemInterface $item,
        ): int {
            $item->tag('news');

            return 1;
        }));
        $this->tagged->invalidateTags(['news']);

        self::assertSame([1, 1], [$this->misses('outer'), $this->misses('inner')]);
    }

    public function testDeletes(): void
    {
        $this->keep('k');

        self::assertTrue($this->tagged->delete('k'));
        self::assertTrue($this->tagged->delete('k'));
        self::assertSame(1, $this->misses('k'));
    }

    public function testItsKeysAreThoseOfTheCacheAndOfBothStandards(): void
    {
        $others = [
            'cache' => [
                fn(string $key): mixed => $this->cache->get($key),
                fn(string $key): mixed => $this->cache->remember($key, static fn(): string => 'theirs'),
            ],
            'pool' => [
                fn(string $key): mixed => (new Pool($this->cache, $this->clock))->getItem($key)->get(),
                function (string $key): void {
                    $pool = new Pool($this->cache, $this->clock);
                    $pool->save($pool->getItem($key)->set('theirs'));
                },
            ],
            'simple' => [
                fn(string $key): mixed => (new SimpleCache($this->cache, $this->clock))->get($key),
                fn(string $key): mixed => (new SimpleCache($this->cache, $this->clock))->set($key, 'theirs'),
            ],
        ];
        $this->value('ours', static fn(ItemInterface $item): string => $item->tag('news')->getKey());
        foreach ($others as $name => [$read, $make]) {
            self::assertSame('ours', $read('ours'), $name);
            $make($name);
            self::assertSame('theirs', $this->value($name, static fn(): string => 'made anew'));
        }
        $this->tagged->invalidateTags(['news']);
        foreach ($others as [$read]) {
            self::assertNull($read('ours'));
        }
    }

    public function testWhatTheCallbackThrowsIsThrown(): void
    {
        $thrown = self::thrownBy(
            fn(): mixed => $this->tagged->get('k', static fn(): never => throw new RuntimeException('it failed')),
        );

        self::assertInstanceOf(RuntimeException::class, $thrown);
        self::assertSame('it failed', $thrown->getMessage());
        self::assertSame(1, $this->misses('k'));
    }

    /** @return iterable<string, array{string}> */
    public static function badNames(): iterable
    {
        yield 'empty' => [''];
        foreach (str_split(ItemInterface::RESERVED_CHARACTERS) as $reserved) {
            yield $reserved => ['a' . $reserved];
        }
    }

    #[DataProvider('badNames')]
    public function testRefusesNames(string $name): void
    {
        self::assertRefused(fn(): mixed => $this->tagged->get($name, static fn(): int => 1));
        self::assertRefused(fn(): bool => $this->tagged->delete($name));
        self::assertRefused(
            fn(): mixed => $this->tagged->get('k', static fn(ItemInterface $item): ItemInterface => $item->tag($name)),
        );
        $this->keep('good', 'good');
        self::assertRefused(fn(): bool => $this->tagged->invalidateTags(['good', $name]));
        self::assertSame(0, $this->misses('good'), 'none was invalidated');
    }

    public function testRefusesTagsThatAreNoStrings(): void
    {
        self::assertRefused(fn(): bool => $this->tagged->invalidateTags([5]));
        self::assertRefused(
            fn(): mixed => $this->tagged->get('k', static function (ItemInterface $item): ItemInterface {
                self::assertInstanceOf(TaggedItem::class, $item);

                return $item->tag([null]);
            }),
        );
    }

    private static function assertRefused(Closure $call): void
    {
        $thrown = self::thrownBy($call);
        self::assertInstanceOf(InvalidArgumentException::class, $thrown);
        self::assertInstanceOf(LarderException::class, $thrown);
    }

    private static function thrownBy(Closure $call): ?Throwable
    {
        try {
            $call();
        } catch (Throwable $thrown) {
            return $thrown;
        }

        return null;
    }

    /** @param callable(ItemInterface, bool): mixed $make */
    private function value(string $key, callable $make, ?float $beta = null): mixed
    {
        return $this->tagged->get($key, $make, $beta);
    }

    /**
     * @param callable(ItemInterface, bool): mixed $make
     *
     * @return array{mixed, array<mixed>} what get() returns for the key "k", and the metadata
     */
    private static function told(TaggedCache $tagged, callable $make): array
    {
        $metadata = null;
        $value = $tagged->get('k', $make, null, $metadata);

        return [$value, $metadata ?? []];
    }

    private function keep(string $key, string ...$tags): void
    {
        $this->tagged->get($key, static function (ItemInterface $item) use ($tags): int {
            $item->tag($tags);

            return 0;
        });
    }

    /** 1 if the value has to be made, else 0. */
    private function misses(string $key): int
    {
        $before = $this->made;
        $this->tagged->get($key, fn(): int => ++$this->made);

        return $this->made - $before;
    }
}
