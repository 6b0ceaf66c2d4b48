<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Answer;
use Larder\Cache\AfterWait;
use Larder\Cache\Batch;
use Larder\Cache\Settings;
use Larder\Exception\NotMadeInTime;
use Larder\Exception\OwnKey;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use PHPUnit\Framework\Attributes\CoversClass;
use RuntimeException;

/** remember() for many keys at a time. */
#[CoversClass(Batch::class)]
final class RememberMultipleTest extends CacheCase
{
    /** @var list<list<string>> what computeMany() was asked for */
    private array $asked = [];

    public function testMakesWhatIsMissingInOneComputeAfterOneLook(): void
    {
        $cache = $this->cache();
        $cache->set('b', 'there');
        $this->store->calls = [];
        $values = $cache->rememberMultiple(['7', 'b', 'c', '7'], $this->computeMany(), 10.0);

        self::assertSame([7 => 'made 7', 'b' => 'there', 'c' => 'made c'], $values);
        self::assertSame([['7', 'c']], $this->asked);
        self::assertCount(1, array_keys($this->store->calls, 'getMultiple', true));
        $this->store->calls = [];
        self::assertSame($values, $this->cache()->rememberMultiple(['7', 'b', 'c'], $this->computeMany(), 10.0));
        self::assertSame(['getMultiple'], $this->store->calls);
        self::assertSame([], $cache->rememberMultiple([], $this->computeMany()));
    }

    public function testOfThoseInGraceItMakesWhatNobodyElseMakes(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 'old a', 'b' => 'old b'], 10.0, 10.0);
        $cache->set('c', 'fresh c', 100.0);
        $this->pass(10.0);
        $this->array->lease('a');

        self::assertSame(
            ['a' => 'old a', 'b' => 'made b', 'c' => 'fresh c', 'd' => 'made d'],
            $cache->rememberMultiple(['a', 'b', 'c', 'd'], $this->computeMany(), 10.0),
        );
        self::assertSame([['b', 'd']], $this->asked);
    }

    public function testItMakesItsOwnBeforeItWaitsForOthers(): void
    {
        $lease = $this->array->getOrLease('theirs')->lease;
        $cache = $this->cache();
        $values = $cache->rememberMultiple(['theirs', 'ours'], function (array $keys) use ($lease): array {
            $this->array->set('theirs', 'made elsewhere', null, $lease);

            return array_fill_keys($keys, 'made here');
        });

        self::assertSame(['theirs' => 'made elsewhere', 'ours' => 'made here'], $values);
    }

    public function testItTakesOverWhatOthersFailToMake(): void
    {
        $lease = (int) $this->array->getOrLease('theirs')->lease;
        $looks = 0;
        $this->store->on('getOrLease', function (string $key) use (&$looks, $lease): null {
            if ($key === 'theirs' && ++$looks === 3) {
                $this->array->release('theirs', $lease);
            }

            return null;
        });

        self::assertSame(
            ['theirs' => 'made theirs', 'ours' => 'made ours'],
            $this->cache()->rememberMultiple(['theirs', 'ours'], $this->computeMany(), wait: 3600.0),
        );
        self::assertSame([['ours'], ['theirs']], $this->asked);
        self::assertTrue($this->array->has('theirs'));
    }

    public function testWhatItWaitedForInVainItMakesForItself(): void
    {
        $this->array->getOrLease('theirs');

        self::assertSame(
            ['theirs' => 'made theirs', 'ours' => 'made ours'],
            $this->cache()->rememberMultiple(['theirs', 'ours'], $this->computeMany(), wait: 0.01),
        );
        self::assertSame([false, true], [$this->array->has('theirs'), $this->array->has('ours')]);

        $this->expectException(NotMadeInTime::class);
        $this->cache(new Settings(afterWait: AfterWait::Fail))->rememberMultiple(
            ['theirs'],
            $this->computeMany(),
            wait: 0.01,
        );
    }

    public function testAStoreThatDoesNotAnswerCostsNoWait(): void
    {
        $this->store->on('getMultiple', static fn(): array => []);
        $this->store->on('getOrLease', static fn(): Answer => new Answer(answered: false));

        self::assertSame(
            ['a' => 'made a', 'b' => 'made b'],
            $this->cache(new Settings(wait: 3600.0))->rememberMultiple(['a', 'b'], $this->computeMany()),
        );
        self::assertSame([['a', 'b']], $this->asked);
    }

    public function testWithNoTimeItIsMadeAndNotKept(): void
    {
        self::assertSame(['a' => 'made a'], $this->cache()->rememberMultiple(['a'], $this->computeMany(), 0.0));
        self::assertFalse($this->array->has('a'));
        self::assertNotContains('getOrLease', $this->store->calls);
    }

    public function testAFailingComputeGivesAllLeasesBack(): void
    {
        try {
            $this->cache()->rememberMultiple(['a', 'b'], static fn(): never => throw new RuntimeException('it fails'));
            self::fail('it was caught');
        } catch (RuntimeException $exception) {
            self::assertSame('it fails', $exception->getMessage());
        }

        self::assertNotNull($this->array->lease('a'));
        self::assertNotNull($this->array->lease('b'));
    }

    public function testAnUnstorableValueGivesAllLeasesBack(): void
    {
        try {
            $this->cache()->rememberMultiple(
                ['a', 'b', 'c'],
                static fn(): array => ['a' => 1, 'b' => STDERR, 'c' => 3],
            );
            self::fail('it was stored');
        } catch (UnstorableValue $exception) {
            self::assertStringStartsWith(
                'The value of "b", of type resource (stream), cannot be stored: $value is ',
                $exception->getMessage(),
            );
        }

        self::assertNotNull($this->array->lease('b'));
        self::assertNotNull($this->array->lease('c'));
    }

    public function testWhatTheComputeLeavesOutIsNotThere(): void
    {
        self::assertSame(
            ['a' => 1],
            $this->cache()->rememberMultiple(['a', 'b'], static fn(): array => ['x' => 0, 'a' => 1]),
        );
        self::assertFalse($this->array->has('b'));
        self::assertFalse($this->array->has('x'));
        self::assertNotNull($this->array->lease('b'), 'its lease is given back');
    }

    public function testNullIsAValue(): void
    {
        self::assertSame(['a' => null], $this->cache()->rememberMultiple(['a'], static fn(): array => ['a' => null]));
        self::assertSame(['a' => null], $this->elsewhere()->rememberMultiple(['a'], $this->computeMany()));
    }

    public function testEachKeyHasItsOwnDependenciesAndThoseOfTheCompute(): void
    {
        $cache = $this->cache();
        $make = function () use ($cache): void {
            $cache->rememberMultiple(['news 1', 'news 2'], function (array $keys) use ($cache): array {
                $cache->reads('authors');
                $this->asked[] = $keys;

                return array_fill_keys($keys, 'value');
            }, reads: static fn(string $key): array => [str_replace(' ', ':', $key)]);
        };
        $make();
        $cache->change(['news:1'], static fn(): null => null);
        $make();
        $cache->change(['authors'], static fn(): null => null);
        $make();

        self::assertSame([['news 1', 'news 2'], ['news 1'], ['news 1', 'news 2']], $this->asked);
    }

    public function testWhatChangedMeanwhileIsNotStored(): void
    {
        $cache = $this->cache();
        $values = $cache->rememberMultiple(['a', 'b'], function (array $keys): array {
            $this->elsewhere()->change(['news:a'], static fn(): null => null);

            return array_fill_keys($keys, 'old');
        }, reads: static fn(string $key): array => ["news:$key"]);

        self::assertSame(['a' => 'old', 'b' => 'old'], $values);
        self::assertFalse($cache->has('a'));
        self::assertNotNull($this->array->lease('a'), 'the lease is given back');
    }

    public function testARefusedValueIsNotWaitedFor(): void
    {
        $this->store->on(
            'set',
            static fn(string $key, mixed $entry): ?Outcome => \is_array($entry) && ($entry[0] ?? null) === 'made a'
                ? Outcome::Refused
                : null,
        );
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));
        $cache->rememberMultiple(['a', 'b'], $this->computeMany());
        self::assertNotNull($this->array->lease('a'), 'another one makes it');
        $cache->rememberMultiple(['a', 'b'], $this->computeMany());

        self::assertSame([['a', 'b'], ['a']], $this->asked);
    }

    public function testBehindAClosedGateNobodyWaits(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));
        $read = fn(): array => $cache->rememberMultiple(
            ['a', 'b'],
            $this->computeMany(),
            reads: static fn(string $key): array => ["news:$key"],
        );
        $this->elsewhere()->change(['news:a', 'news:b'], function () use ($read): void {
            $read();
            self::assertNotNull($this->array->getOrLease('a')->lease);
            $read();
        });

        self::assertSame([['a', 'b'], ['a', 'b']], $this->asked);
    }

    public function testWhatReadsThrowsGivesTheLeasesBack(): void
    {
        $this->array->getOrLease('b');
        try {
            $this->cache()->rememberMultiple(
                ['a', 'b'],
                $this->computeMany(),
                reads: static fn(): never => throw new RuntimeException('it fails'),
            );
            self::fail('it was caught');
        } catch (RuntimeException $exception) {
            self::assertSame('it fails', $exception->getMessage());
        }

        self::assertNotNull($this->array->lease('a'));
    }

    public function testAComputeThatAsksForItsOwnKeyFailsClearly(): void
    {
        $cache = $this->cache();
        $this->expectException(OwnKey::class);
        $this->expectExceptionMessage('The compute of "b" asks for "b" itself (being made: a > b)');

        $cache->rememberMultiple(
            ['a', 'b'],
            static fn(): array => $cache->rememberMultiple(['c', 'b'], static fn(): array => []),
        );
    }

    /** @return Closure(list<string>): array<array-key, string> */
    private function computeMany(): Closure
    {
        return function (array $keys): array {
            /** @var list<string> $keys */
            $this->asked[] = $keys;

            return array_combine($keys, array_map(static fn(string $key): string => "made $key", $keys));
        };
    }
}
