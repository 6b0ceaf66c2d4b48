<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Cache\Inspection;
use Larder\Cache\Settings;
use Larder\Cache\State;
use Larder\Exception\InvalidKey;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Tests\Support\Counted;
use PHPUnit\Framework\Attributes\CoversClass;

/** All that stands beside remember(). */
#[CoversClass(Cache::class)]
final class ReadsAndWritesTest extends CacheCase
{
    public function testSetWithNoTimeRemovesWhateverTheValue(): void
    {
        $cache = $this->cache();
        foreach ([0.0, -1.0] as $ttl) {
            $this->array->set('k', 'old');
            $this->store->once('set', static fn(): Outcome => Outcome::Refused);

            self::assertTrue($cache->set('k', 'too large', $ttl));
            self::assertFalse($this->array->has('k'));
        }
    }

    public function testFetchTellsAStoredNullFromNothing(): void
    {
        $cache = $this->cache();
        $value = 'before';
        self::assertFalse($cache->fetch('k', $value));
        self::assertNull($value);
        foreach ([null, false, 0, '', []] as $stored) {
            self::assertTrue($cache->set('k', $stored));
            self::assertTrue($cache->fetch('k', $value));
            self::assertSame($stored, $value);
            self::assertSame($stored, $cache->get('k', 'default'));
            self::assertTrue($cache->has('k'));
        }
        self::assertSame('default', $cache->get('another', 'default'));
    }

    public function testLookingInGraceHandsOutTheOldValueAndTakesNoLease(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, settings: new Settings(early: 0.0), counters: $counters, clock: $this->clock);
        $cache->set('k', 'old', 10.0, 10.0);
        $this->pass(10.0);

        self::assertTrue($cache->fetch('k', $value));
        self::assertSame(['old', 'old', ['k' => 'old']], [$value, $cache->get('k'), $cache->getMultiple(['k'])]);
        self::assertSame([], array_intersect(['lease', 'getOrLease'], $this->store->calls));
        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 10.0), 'nobody is held up');
        $cache->flush();
        self::assertSame(['larder_cache_requests_total{result="stale"}' => 3], Counted::by($counters));
    }

    public function testGetMultipleGivesWhatIsThereInTheOrderAskedFor(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 1, 'b' => null, '7' => 'seven']);
        $this->store->calls = [];

        self::assertSame([7 => 'seven', 'b' => null, 'a' => 1], $cache->getMultiple(['7', 'nothing', 'b', 'a', 'a']));
        self::assertSame(['getMultiple'], $this->store->calls);
        self::assertSame([], $cache->getMultiple([]));
    }

    public function testLookTellsTheStateOfEachKey(): void
    {
        $early = $this->cache(new Settings(early: 1.0));
        $early->remember('early', static function (): string {
            usleep(10_000);

            return 'costly';
        }, 0.1, 100.0);
        $this->clock->seconds -= 15.0;
        $cache = $this->cache();
        $cache->set('grace', 'old', 10.0, 20.0);
        $cache->set('endless', 'value');
        $cache->increment('counter', 1, 5);
        $this->pass(15.0);
        $cache->set('fresh', 'new', 10.0, 20.0);
        $looks = $early->look('fresh', 'early', 'grace', 'endless', 'counter', 'nothing');

        self::assertSame(['fresh', 'early', 'grace', 'endless', 'counter', 'nothing'], array_keys($looks));
        self::assertSame(
            [State::Fresh, State::Early, State::Grace, State::Fresh, State::Fresh, State::Missing],
            array_map(static fn(Inspection $look): State => $look->state, array_values($looks)),
        );
        self::assertEquals(
            new Inspection(State::Fresh, 'new', $looks['fresh']->version, 0.0, 10.0, 30.0),
            $looks['fresh'],
        );
        self::assertEquals(
            new Inspection(State::Grace, 'old', $looks['grace']->version, 15.0, -5.0, 15.0),
            $looks['grace'],
        );
        self::assertEquals(new Inspection(State::Fresh, 'value', $looks['endless']->version, 15.0), $looks['endless']);
        self::assertEquals(new Inspection(State::Fresh, 5, $looks['counter']->version), $looks['counter']);
        self::assertEquals(new Inspection(State::Missing), $looks['nothing']);
        self::assertNotSame(0, $looks['fresh']->version);
        self::assertNotNull($this->array->lease('grace'), 'looking takes no lease');
    }

    public function testSetMultipleTellsOfEachKey(): void
    {
        $this->store->on('set', static fn(string $key): ?Outcome => $key === 'b' ? Outcome::Refused : null);

        self::assertSame(
            ['a' => true, 'b' => false, 7 => true],
            $this->cache()->setMultiple(['a' => 1, 'b' => 2, '7' => 3]),
        );
        self::assertSame(['a' => 1, 7 => 3], $this->cache()->getMultiple(['a', 'b', '7']));
    }

    public function testDeleteMultipleTellsOfEachKeyAndGoesOn(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 1, 'b' => 2, 'c' => 3]);
        $this->store->on('delete', static fn(string $key): ?Outcome => $key === 'a' ? Outcome::Unknown : null);

        self::assertSame(
            ['a' => false, 'nothing' => true, 'b' => true, 'c' => true],
            $cache->deleteMultiple(['a', 'nothing', 'b', 'c']),
        );
        self::assertSame(['a' => 1], $cache->getMultiple(['a', 'b', 'c']));
        self::assertFalse($cache->delete('a'));
    }

    public function testCasStoresOnlyWhatNobodyChanged(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'one', 10.0, 5.0);
        $version = $cache->look('k')['k']->version;

        self::assertSame(Outcome::Done, $cache->cas('k', 'two', $version, 20.0, 5.0));
        self::assertSame(Outcome::Exists, $cache->cas('k', 'three', $version));
        self::assertSame(Outcome::NotFound, $cache->cas('nothing', 'x', $version));
        self::assertEquals(
            new Inspection(State::Fresh, 'two', $cache->look('k')['k']->version, 0.0, 20.0, 25.0),
            $cache->look('k')['k'],
        );
        self::assertSame('two', $cache->remember('k', $this->compute()), 'it is a value like any other');
    }

    public function testCasMultipleTellsOfEachKey(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 1, 'b' => 2]);
        $versions = array_map(static fn(Inspection $look): int => $look->version, $cache->look('a', 'b', 'c'));
        $this->elsewhere()->set('b', 'changed');

        self::assertSame(
            ['a' => Outcome::Done, 'b' => Outcome::Exists, 'c' => Outcome::NotFound, 'd' => Outcome::NotFound],
            $cache->casMultiple(['a' => 'A', 'b' => 'B', 'c' => 'C', 'd' => 'D'], $versions),
        );
        self::assertSame(['a' => 'A', 'b' => 'changed'], $cache->getMultiple(['a', 'b', 'c', 'd']));
    }

    public function testTouchMovesBothEnds(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'value', 10.0, 5.0);
        $this->pass(9.0);

        self::assertSame(Outcome::Done, $cache->touch('k', 100.0, 50.0));
        self::assertEquals(
            new Inspection(State::Fresh, 'value', $cache->look('k')['k']->version, 9.0, 100.0, 150.0),
            $cache->look('k')['k'],
        );
        $this->pass(99.0);
        self::assertSame('value', $cache->get('k'), 'the store has it');
        self::assertSame(State::Fresh, $cache->look('k')['k']->state);
        self::assertSame(Outcome::NotFound, $cache->touch('nothing', 5.0));
        self::assertSame(Outcome::Done, $cache->touch('k', 0.0));
        self::assertFalse($this->array->has('k'));
    }

    public function testTouchKeepsWhatTheValueWasMadeFrom(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']);
        $cache->touch('k', 100.0);
        $cache->change(['news:4'], static fn(): null => null);

        self::assertFalse($cache->has('k'));
        self::assertSame(Outcome::NotFound, $cache->touch('k', 100.0), 'what is old is not given more time');
    }

    public function testTouchMultipleTellsOfEachKeyAndTakesCountersToo(): void
    {
        $cache = $this->cache();
        $cache->set('a', 1, 10.0, 0.0);
        $cache->increment('n', 1, 1, 10.0);

        self::assertSame(
            ['a' => Outcome::Done, 'nothing' => Outcome::NotFound, 'n' => Outcome::Done],
            $cache->touchMultiple(['a', 'nothing', 'n'], 100.0, 0.0),
        );
        $this->pass(99.0);
        self::assertSame(['a' => 1, 'n' => 1], $cache->getMultiple(['a', 'n']));
        self::assertSame(2, $cache->increment('n'), 'a counter stays one');
        $this->pass(1.0);
        self::assertSame([], $cache->getMultiple(['a', 'n']));
    }

    public function testAppendLeavesTheEndsAsTheyAre(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'a', 10.0, 5.0);
        $this->pass(4.0);

        self::assertSame(Outcome::Done, $cache->append('k', 'b'));
        self::assertEquals(
            new Inspection(State::Fresh, 'ab', $cache->look('k')['k']->version, 4.0, 6.0, 11.0),
            $cache->look('k')['k'],
        );
        self::assertSame(Outcome::NotFound, $cache->append('nothing', 'b'));
        $cache->set('list', ['a']);
        self::assertSame(Outcome::Exists, $cache->append('list', 'b'));
        self::assertSame(['a'], $cache->get('list'));
        $this->array->set('theirs', 'text');
        self::assertSame(Outcome::Exists, $cache->append('theirs', 'b'), 'the ttl of what others stored is not known');
    }

    public function testAppendDoesNotRemoveWhatIsOverByOnesOwnClockOnly(): void
    {
        $this->cache()->set('k', 'a', 10.0, 5.0);

        self::assertSame(Outcome::NotFound, $this->elsewhere(ahead: 300.0)->append('k', 'b'));
        self::assertSame('a', $this->cache()->get('k'));
    }

    public function testAppendLosesNothingToOthersThatAppend(): void
    {
        $cache = $this->cache();
        $cache->set('k', '');
        $others = 0;
        $this->store->on('cas', function () use (&$others): null {
            if ($others < 3) {
                $this->elsewhere()->append('k', (string) ++$others);
            }

            return null;
        });

        self::assertSame(Outcome::Done, $cache->append('k', '!'));
        self::assertSame('123!', $cache->get('k'));
    }

    public function testAppendEndsWhereOthersAreFasterForever(): void
    {
        $cache = $this->cache();
        $cache->set('k', '');
        $this->store->on('cas', static fn(): Outcome => Outcome::Exists);

        self::assertSame(Outcome::Exists, $cache->append('k', '!'));
    }

    public function testAppendMultipleTellsOfEachKey(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 'a', '7' => '7']);

        self::assertSame(
            [7 => Outcome::Done, 'nothing' => Outcome::NotFound, 'a' => Outcome::Done],
            $cache->appendMultiple(['7' => '8', 'nothing' => '', 'a' => 'b']),
        );
        self::assertSame(['a' => 'ab', 7 => '78'], $cache->getMultiple(['a', '7']));
    }

    public function testACounterIsTheStoresOwn(): void
    {
        $cache = $this->cache();
        self::assertSame(Outcome::NotFound, $cache->increment('n'));
        self::assertSame(5, $cache->increment('n', 1, 5));
        self::assertSame(7, $cache->increment('n', 2));
        self::assertSame(-3, $cache->decrement('n', 10));

        self::assertSame(-3, $cache->get('n'));
        self::assertSame(-3, $this->array->get('n'), 'outside of any envelope');
        self::assertSame(-3, $cache->remember('n', self::opaque($this->compute())));
        $cache->set('value', 5);
        self::assertSame(Outcome::Exists, $cache->increment('value'), 'a value is no counter');
    }

    public function testClearRemovesAll(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 1, 'b' => 2]);

        self::assertTrue($cache->clear());
        self::assertSame([], $cache->getMultiple(['a', 'b']));
    }

    public function testAValueThatCannotBeStoredIsNamedWithItsKeyAndType(): void
    {
        $cache = $this->cache();
        $this->expectException(UnstorableValue::class);
        $this->expectExceptionMessageMatches(
            '/^The value of "k", of type array, cannot be stored: \$value\[.a.\]\[3\] .*resource/',
        );

        $cache->set('k', ['a' => [3 => STDERR]]);
    }

    public function testAValueThatCannotBeStoredKeepsNoOtherFromBeingStored(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 0, 'k' => 0, 'c' => 0]);
        $versions = array_map(static fn(Inspection $look): int => $look->version, $cache->look('a', 'k', 'c'));
        foreach ([
            static fn(array $values): array => $cache->setMultiple($values),
            static fn(array $values): array => $cache->casMultiple($values, $versions),
            static fn(array $values): array => $cache->rememberMultiple(['d', 'k', 'e'], static fn(): array => [
                'd' => 1,
                'k' => STDERR,
                'e' => 3,
            ], 0.5),
        ] as $call) {
            try {
                $call(['a' => 1, 'k' => STDERR, 'c' => 3]);
                self::fail('It was stored.');
            } catch (UnstorableValue $exception) {
                self::assertStringStartsWith('The value of "k", of type resource', $exception->getMessage());
            }
            $this->array->delete('k');
        }
        self::assertSame(['a' => 1, 'c' => 3, 'd' => 1, 'e' => 3], $cache->getMultiple(['a', 'c', 'd', 'e', 'k']));
        self::assertNotNull($this->array->lease('k'), 'its lease was given back');
    }

    public function testNoKeyIsEmpty(): void
    {
        $calls = [
            static fn(Cache $cache): mixed => $cache->remember('', static fn(): int => 1),
            static fn(Cache $cache): mixed => $cache->rememberMultiple(['a', ''], static fn(): array => []),
            static fn(Cache $cache): mixed => $cache->get(''),
            static fn(Cache $cache): mixed => $cache->getMultiple(['a', '']),
            static fn(Cache $cache): mixed => $cache->look(''),
            static fn(Cache $cache): mixed => $cache->has(''),
            static fn(Cache $cache): mixed => $cache->set('', 1),
            static fn(Cache $cache): mixed => $cache->setMultiple(['a' => 1, '' => 1]),
            static fn(Cache $cache): mixed => $cache->cas('', 1, 1),
            static fn(Cache $cache): mixed => $cache->casMultiple(['a' => 1, '' => 1], []),
            static fn(Cache $cache): mixed => $cache->touch(''),
            static fn(Cache $cache): mixed => $cache->append('', ''),
            static fn(Cache $cache): mixed => $cache->appendMultiple(['' => '']),
            static fn(Cache $cache): mixed => $cache->increment(''),
            static fn(Cache $cache): mixed => $cache->decrement(''),
            static fn(Cache $cache): mixed => $cache->delete(''),
            static fn(Cache $cache): mixed => $cache->deleteMultiple(['a', '']),
        ];
        foreach ($calls as $i => $call) {
            try {
                $call($this->cache());
                self::fail('call ' . $i . ' took it');
            } catch (InvalidKey $exception) {
                self::assertSame('A key must have at least one byte', $exception->getMessage());
            }
        }
        self::assertFalse($this->array->has('a'), 'nothing was stored before');
    }
}
