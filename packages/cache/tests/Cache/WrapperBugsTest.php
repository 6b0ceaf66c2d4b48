<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Answer;
use Larder\Cache;
use Larder\Cache\Inspection;
use Larder\Cache\Settings;
use Larder\Cache\State;
use Larder\Outcome;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestDox;
use RuntimeException;

/** The bugs of the published wrapper class that this cache takes the place of, by their number in the list. */
#[CoversClass(Cache::class)]
final class WrapperBugsTest extends CacheCase
{
    #[TestDox('1: the freshness is a stamp of the clock not a length')]
    public function testW1TheFreshnessIsAStampOfTheClockNotALength(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 3600.0, 600.0);
        $this->pass(1.0);

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 3600.0, 600.0));
    }

    #[TestDox('2: no value is wrapped twice')]
    public function testW2NoValueIsWrappedTwice(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'value', 10.0, 600.0);
        $this->pass(10.0);
        $this->array->lease('k');
        foreach ([$cache, $this->elsewhere()] as $reader) {
            self::assertSame('value', $reader->get('k'));
            self::assertSame('value', $reader->remember('k', $this->compute()));
        }
    }

    #[TestDox('3 and 4: every public method can be called')]
    public function testW3W4EveryPublicMethodCanBeCalled(): void
    {
        $cache = $this->cache();
        $calls = [
            'remember' => static fn(): mixed => $cache->remember('a', static fn(): int => 1),
            'rememberMultiple' => static fn(): mixed => $cache->rememberMultiple(['a'], static fn(): array => []),
            'get' => static fn(): mixed => $cache->get('a'),
            'fetch' => static fn(): mixed => $cache->fetch('a'),
            'getMultiple' => static fn(): mixed => $cache->getMultiple(['a']),
            'look' => static fn(): mixed => $cache->look('a'),
            'has' => static fn(): mixed => $cache->has('a'),
            'reading' => static fn(): mixed => $cache->reading('news:4'),
            'set' => static fn(): mixed => $cache->set('a', 'b', reads: $cache->reading('news:4')),
            'setMultiple' => static fn(): mixed => $cache->setMultiple(['a' => 'b']),
            'cas' => static fn(): mixed => $cache->cas('a', 'b', $cache->look('a')['a']->version),
            'casMultiple' => static fn(): mixed => $cache->casMultiple(
                ['a' => 'b'],
                ['a' => $cache->look('a')['a']->version],
            )['a'],
            'touch' => static fn(): mixed => $cache->touch('a'),
            'touchMultiple' => static fn(): mixed => $cache->touchMultiple(['a'])['a'],
            'append' => static fn(): mixed => $cache->append('a', 'c'),
            'appendMultiple' => static fn(): mixed => $cache->appendMultiple(['a' => 'c'])['a'],
            'increment' => static fn(): mixed => $cache->increment('n', 1, 1),
            'decrement' => static fn(): mixed => $cache->decrement('n', 1, 1),
            'delete' => static fn(): mixed => $cache->delete('a'),
            'deleteMultiple' => static fn(): mixed => $cache->deleteMultiple(['a']),
            'change' => static fn(): mixed => $cache->change(['news:4'], static fn(): string => 'written'),
            'clear' => static fn(): mixed => $cache->clear(),
        ];
        foreach ($calls as $name => $call) {
            self::assertNotContains(
                $call(),
                [null, false, [], Outcome::NotFound, Outcome::Exists, Outcome::Refused, Outcome::Unknown],
                $name,
            );
        }
        $cache->reads('news:4');
        $cache->runDeferred();
        $cache->flush();
        self::assertEqualsCanonicalizing(
            [...array_keys($calls), 'reads', 'runDeferred', 'flush', 'fresh', '__construct', '__destruct'],
            get_class_methods($cache),
        );
    }

    #[TestDox('5: one expired key does not make others a miss')]
    public function testW5OneExpiredKeyDoesNotMakeOthersAMiss(): void
    {
        $cache = $this->cache();
        $cache->set('old', 'old', 10.0, 0.0);
        $cache->set('fresh', 'fresh', 600.0);
        $this->pass(10.0);

        self::assertFalse($cache->fetch('old'));
        self::assertTrue($cache->fetch('fresh', $value));
        self::assertSame('fresh', $value);
    }

    #[TestDox('6: a ttl that equals the grace is protected')]
    public function testW6ATtlThatEqualsTheGraceIsProtected(): void
    {
        $this->assertIsProtected(600.0, 600.0);
    }

    #[TestDox('7: a ttl shorter than the grace is protected')]
    public function testW7ATtlShorterThanTheGraceIsProtected(): void
    {
        $this->assertIsProtected(60.0, 600.0);
    }

    #[TestDox('8: an absolute time is an error not a very long ttl')]
    public function testW8AnAbsoluteTimeIsAnErrorNotAVeryLongTtl(): void
    {
        $this->expectExceptionMessage('$ttl is in seconds from now on; 1234567890 looks like a Unix time');

        $this->cache()->remember('k', $this->compute(), 1_234_567_890.0);
    }

    #[TestDox('9: two that see the same expiry do not both make it')]
    public function testW9TwoThatSeeTheSameExpiryDoNotBothMakeIt(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, 600.0);
        $this->pass(10.0);
        $other = null;
        // The other one begins between this one's look and its claim, and still makes it when this one goes on.
        $this->store->once('lease', function () use (&$other): null {
            $lease = $this->array->lease('k');
            self::assertNotNull($lease);
            $other = $lease;

            return null;
        });

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, 600.0));
        self::assertSame(1, $this->made);
        self::assertNotNull($other);
    }

    #[TestDox('10: a refresh does not overwrite what was stored meanwhile')]
    public function testW10ARefreshDoesNotOverwriteWhatWasStoredMeanwhile(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        $cache->remember('k', function (): string {
            $this->elsewhere()->set('k', 'newer', 10.0);

            return 'older';
        }, 10.0);

        self::assertSame('newer', $cache->get('k'));
    }

    #[TestDox('11: a refresh does not bring back what was deleted')]
    public function testW11ARefreshDoesNotBringBackWhatWasDeleted(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        // The delete comes between the look and the claim.
        $this->store->once('lease', function (): null {
            $this->elsewhere()->delete('k');

            return null;
        });
        $cache->remember('k', function (): string {
            self::assertFalse($this->array->has('k'), 'nothing is stored before it is made');

            return 'new';
        }, 10.0, 600.0);

        self::assertSame('new', $cache->get('k'), 'what was made after the delete is new');
    }

    #[TestDox('12: where the winner fails another one is elected')]
    public function testW12WhereTheWinnerFailsAnotherOneIsElected(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        for ($i = 0; $i < 3; ++$i) {
            try {
                $cache->remember('k', static fn(): never => throw new RuntimeException());
            } catch (RuntimeException) {
            }
        }

        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 10.0));
    }

    #[TestDox('12: where the winner vanishes another one is elected after the lease')]
    public function testW12WhereTheWinnerVanishesAnotherOneIsElectedAfterTheLease(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, lease: 5.0));
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        $this->array->lease('k', 5.0);
        $this->pass(4.9);
        self::assertSame('old', $this->elsewhere()->remember('k', $this->compute(), 10.0));
        $this->pass(0.2);
        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 10.0));
    }

    #[TestDox('13: grace and lease are two settings')]
    public function testW13GraceAndLeaseAreTwoSettings(): void
    {
        $cache = $this->cache(new Settings(grace: 5.0, early: 0.0, lease: 50.0));
        $cache->remember('k', $this->compute(), 10.0);
        $this->pass(10.0);
        $cache->remember('k', function (): string {
            $this->pass(49.0);
            self::assertNull($this->array->lease('k'), 'the lease outlives the grace');

            return 'slow';
        }, 10.0);

        self::assertSame('slow', $cache->get('k'));
    }

    #[TestDox('14: cold evicted and deleted keys are protected')]
    public function testW14ColdEvictedAndDeletedKeysAreProtected(): void
    {
        $cache = $this->cache();
        $leased = [];
        $make = function () use (&$leased): string {
            $leased[] = $this->array->lease('k') === null;

            return 'value';
        };
        $cache->remember('k', $make, 10.0);
        $this->array->delete('k');
        $cache->remember('k', $make, 10.0);
        $cache->delete('k');
        $cache->remember('k', $make, 10.0);

        self::assertSame([true, true, true], $leased);
    }

    #[TestDox('15: where a refresh is refused another one is elected')]
    public function testW15WhereARefreshIsRefusedAnotherOneIsElected(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        foreach ([Outcome::Refused, Outcome::Unknown] as $outcome) {
            $this->store->once('set', static fn(): Outcome => $outcome);
            $cache->remember('k', $this->compute(), 10.0);
        }

        self::assertSame('made 3', $this->elsewhere()->remember('k', $this->compute(), 10.0));
    }

    #[TestDox('16: what others stored is handed out as it is')]
    public function testW16WhatOthersStoredIsHandedOutAsItIs(): void
    {
        $cache = $this->cache();
        foreach ([5, 'text', ['ttl' => 1, 'resource' => 2], ['~larder' => 'no number'], true] as $value) {
            $this->array->set('k', $value);

            self::assertSame($value, $cache->get('k'));
            self::assertSame($value, $cache->remember('k', $this->compute()));
            self::assertSame(['k' => $value], $cache->rememberMultiple(['k'], static fn(): array => []));
            self::assertSame(['k' => $value], $cache->getMultiple(['k']));
            self::assertEquals(
                new Inspection(State::Fresh, $value, $cache->look('k')['k']->version),
                $cache->look('k')['k'],
            );
        }
        $this->array->set('k', null);
        self::assertTrue($cache->fetch('k'));
        self::assertNull($cache->remember('k', self::opaque($this->compute())));
    }

    #[TestDox('17: a miss gives no old value')]
    public function testW17AMissGivesNoOldValue(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(610.0);
        $value = 'untouched';

        self::assertFalse($cache->fetch('k', $value));
        self::assertNull($value);
    }

    #[TestDox('18: a counter lies outside of any envelope')]
    public function testW18ACounterLiesOutsideOfAnyEnvelope(): void
    {
        $cache = $this->cache();
        $cache->increment('n', 1, 41);
        $this->array->increment('n');

        self::assertSame(42, $this->array->get('n'));
        self::assertSame(42, $cache->get('n'));
        self::assertSame(43, $cache->increment('n'));
    }

    #[TestDox('19: a default ttl can be set')]
    public function testW19ADefaultTtlCanBeSet(): void
    {
        $cache = $this->cache(new Settings(ttl: 10.0, grace: 0.0, early: 0.0));
        $cache->set('set', 1);
        $cache->remember('remember', $this->compute());
        $this->pass(10.0);

        self::assertSame([], $cache->getMultiple(['set', 'remember']));
    }

    #[TestDox('20: a refreshed value has its whole ttl and grace')]
    public function testW20ARefreshedValueHasItsWholeTtlAndGrace(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 3600.0, 600.0);
        $this->pass(3600.0);
        $cache->remember('k', $this->compute(), 3600.0, 600.0);
        $look = $cache->look('k')['k'];

        self::assertSame(['made 2', 3600.0, 4200.0], [$look->value, $look->freshFor, $look->keptFor]);
    }

    #[TestDox('21: a null that was stored can be read')]
    public function testW21ANullThatWasStoredCanBeRead(): void
    {
        $cache = $this->cache();
        $cache->set('k', null);

        self::assertTrue($cache->fetch('k', $value));
        self::assertNull($value);
        self::assertSame(['k' => null], $cache->getMultiple(['k']));
    }

    #[TestDox('22: thirty days to the second are protected')]
    public function testW22ThirtyDaysToTheSecondAreProtected(): void
    {
        $this->assertIsProtected(2_592_000.0, 600.0);
    }

    #[TestDox('23: in a multi get each key is told')]
    public function testW23InAMultiGetEachKeyIsTold(): void
    {
        $cache = $this->cache();
        $cache->set('window', 'old', 10.0, 600.0);
        $cache->set('fresh', 'new', 600.0);
        $this->pass(10.0);
        $states = array_map(
            static fn(Inspection $look): State => $look->state,
            $cache->look('window', 'fresh', 'missing'),
        );

        self::assertSame(['window' => State::Grace, 'fresh' => State::Fresh, 'missing' => State::Missing], $states);
        self::assertSame(['window' => 'old', 'fresh' => 'new'], $cache->getMultiple(['window', 'fresh', 'missing']));
    }

    #[TestDox('24: one key in a list keeps its name')]
    public function testW24OneKeyInAListKeepsItsName(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['k' => ['only']]);

        self::assertSame(['k' => ['only']], $cache->getMultiple(['k']));
        self::assertSame(['k' => ['only']], $cache->rememberMultiple(['k'], static fn(): array => []));
    }

    #[TestDox('25: looking does not make the old one fresh again')]
    public function testW25LookingDoesNotMakeTheOldOneFreshAgain(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'old', 10.0, 600.0);
        $this->pass(10.0);
        $cache->fetch('k');

        self::assertSame(State::Grace, $cache->look('k')['k']->state);
        $cache->set('k', 'new', 10.0);
        self::assertSame('new', $cache->get('k'));
    }

    #[TestDox('26: no envelope leaks and touch moves the stamp too')]
    public function testW26NoEnvelopeLeaksAndTouchMovesTheStampToo(): void
    {
        $cache = $this->cache();
        $cache->set('k', 'value', 10.0, 600.0);
        $cache->touch('k', 100.0);
        $this->pass(99.0);
        self::assertSame(State::Fresh, $cache->look('k')['k']->state);
        $cache->cas('k', 'changed', $cache->look('k')['k']->version, 10.0, 600.0);
        self::assertSame('changed', $cache->get('k'));
        $this->pass(10.0);
        self::assertSame(State::Grace, $cache->look('k')['k']->state, 'what cas stored is protected as well');
    }

    #[TestDox('27: a delete of many goes on and tells of each key')]
    public function testW27ADeleteOfManyGoesOnAndTellsOfEachKey(): void
    {
        $cache = $this->cache();
        $cache->setMultiple(['a' => 1, 'c' => 3]);
        $this->store->once('delete', static fn(): Outcome => Outcome::Unknown);

        self::assertSame(['a' => false, 'b' => true, 'c' => true], $cache->deleteMultiple(['a', 'b', 'c']));
        self::assertFalse($this->array->has('c'));
    }

    #[TestDox('28: silence is not a miss that is stored')]
    public function testW28SilenceIsNotAMissThatIsStored(): void
    {
        $this->store->on('get', static fn(): Outcome => Outcome::Unknown);
        $this->store->on('getOrLease', static fn(): Answer => new Answer(answered: false));

        self::assertSame('made 1', $this->cache()->remember('k', $this->compute(), 10.0));
        self::assertNotContains('set', $this->store->calls, 'a server that is too slow already is not asked for more');
        self::assertNotContains('release', $this->store->calls);
    }

    #[TestDox('29: a cache that is made asks for nothing')]
    public function testW29ACacheThatIsMadeAsksForNothing(): void
    {
        for ($i = 0; $i < 10; ++$i) {
            $this->cache();
        }

        self::assertSame([], $this->store->calls);
    }

    #[TestDox('30: no parameter is nullable by its default alone')]
    public function testW30NoParameterIsNullableByItsDefaultAlone(): void
    {
        foreach ([
            \dirname(__DIR__, 2) . '/src/Cache.php',
            ...(array) glob(\dirname(__DIR__, 2) . '/src/Cache/*.php'),
        ] as $file) {
            preg_match_all(
                '/(?:^|[(, ])([?\w|\\\\()]+) \$\w+ = null\b/m',
                (string) file_get_contents((string) $file),
                $matches,
            );
            foreach ($matches[1] as $type) {
                self::assertMatchesRegularExpression('/^(?:\?.+|.*\bnull\b.*|mixed)$/', $type, (string) $file);
            }
        }
    }

    #[TestDox('31: one is made per ttl however many read')]
    public function testW31OneIsMadePerTtlHoweverManyRead(): void
    {
        $caches = [$this->cache(), $this->elsewhere(), $this->elsewhere()];
        $times = [];
        for ($tenth = 0; $tenth < 1800; ++$tenth) {
            foreach ($caches as $cache) {
                $cache->remember('k', function () use (&$times, $tenth): string {
                    $times[] = $tenth / 10;

                    return 'value';
                }, 60.0, 30.0);
            }
            $this->pass(0.1);
        }

        self::assertCount(3, $times);
        self::assertEqualsWithDelta([0.0, 60.0, 120.0], $times, 0.2);
    }

    private function assertIsProtected(float $ttl, float $grace): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), $ttl, $grace);
        for ($round = 1; $round <= 2; ++$round) {
            $this->pass($ttl);
            $lease = (int) $this->array->lease('k');
            self::assertSame(
                "made $round",
                $cache->remember('k', $this->compute(), $ttl, $grace),
                'while another one makes it, the old one',
            );
            $this->array->release('k', $lease);
            self::assertSame(
                'made ' . ($round + 1),
                $cache->remember('k', $this->compute(), $ttl, $grace),
                'the copy is protected like the original',
            );
        }
    }
}
