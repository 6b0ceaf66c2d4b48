<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use DateInterval;
use DateTimeImmutable;
use Larder\Cache;
use Larder\Cache\Inspection;
use Larder\Cache\Options;
use Larder\Cache\Settings;
use Larder\Cache\State;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use ValueError;

/** Which ttl and grace give which ends. */
#[CoversClass(Options::class)]
#[CoversClass(Settings::class)]
final class OptionsTest extends CacheCase
{
    private const DAYS_30 = 2_592_000.0;

    /**
     * @return iterable<string, array{float|null, float|null, float|null, float|null}> ttl, grace; seconds until the
     *     soft and the hard end
     */
    public static function ends(): iterable
    {
        yield 'never' => [null, null, null, null];
        yield 'never, whatever the grace' => [null, 60.0, null, null];
        yield '1 s' => [1.0, null, 1.0, 2.0];
        yield 'a part of a second' => [0.25, 0.5, 0.25, 0.75];
        yield 'no grace' => [1.0, 0.0, 1.0, 1.0];
        yield 'the source\'s interval: a grace as long as the ttl' => [600.0, 600.0, 600.0, 1200.0];
        yield 'less than the source\'s interval' => [300.0, 600.0, 300.0, 900.0];
        yield 'an hour' => [3600.0, null, 3600.0, 4200.0];
        yield 'an hour, a grace of its own' => [3600.0, 7200.0, 3600.0, 10800.0];
        yield '30 days less a second' => [self::DAYS_30 - 1.0, 0.0, self::DAYS_30 - 1.0, self::DAYS_30 - 1.0];
        yield 'exactly 30 days' => [self::DAYS_30, null, self::DAYS_30, self::DAYS_30 + 600.0];
        yield '30 days with the grace only' => [self::DAYS_30 - 10.0, 10.0, self::DAYS_30 - 10.0, self::DAYS_30];
        yield 'more than 30 days' => [self::DAYS_30 + 1.0, null, self::DAYS_30 + 1.0, self::DAYS_30 + 601.0];
        yield 'a year' => [31_536_000.0, null, 31_536_000.0, 31_536_600.0];
        yield 'too long to end' => [900_000_000.0, 900_000_000.0, 900_000_000.0, null];
        yield 'as long as an integer' => [(float) PHP_INT_MAX, null, null, null];
        yield 'as long as a float' => [PHP_FLOAT_MAX, PHP_FLOAT_MAX, null, null];
    }

    #[DataProvider('ends')]
    public function testEnds(?float $ttl, ?float $grace, ?float $soft, ?float $hard): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), $ttl, $grace);
        $cache->set('set', 'value', $ttl, $grace);

        foreach (['k', 'set'] as $key) {
            $look = $cache->look($key)[$key];
            self::assertSame([State::Fresh, $soft, $hard], [$look->state, $look->freshFor, $look->keptFor], $key);
        }
        foreach ($soft === null ? [] : [
            [$soft, State::Grace, $hard === null || $hard > $soft],
            [$hard, State::Missing, $hard !== null],
        ] as [$end, $state, $differs]) {
            $this->clock->seconds = 1_000_000.5 + (float) $end - 0.001;
            self::assertNotSame($state, $cache->look('k')['k']->state, 'before its end');
            $this->clock->seconds = 1_000_000.5 + (float) $end;
            if ($differs) {
                self::assertSame($state, $cache->look('k')['k']->state, 'at its end');
            }
        }
    }

    /** @return iterable<string, array{float}> */
    public static function noTime(): iterable
    {
        yield 'zero' => [0.0];
        yield 'below zero' => [-1.0];
        yield 'far below zero' => [-PHP_FLOAT_MAX];
    }

    #[DataProvider('noTime')]
    public function testNoTimeKeepsNothingWhateverTheGrace(float $ttl): void
    {
        $cache = $this->cache();
        foreach ([null, 3600.0] as $grace) {
            $cache->remember('remember', $this->compute(), $ttl, $grace);
            $cache->set('set', 'old');
            self::assertTrue($cache->set('set', 'new', $ttl, $grace));

            self::assertSame([false, false], [$cache->has('remember'), $cache->has('set')]);
        }
    }

    /** @return iterable<string, array{Closure(Cache): mixed, string}> */
    public static function refused(): iterable
    {
        $make = static fn(): int => 1;
        yield 'ttl NAN' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, NAN),
            '$ttl must be a finite',
        ];
        yield 'ttl INF' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, INF),
            '$ttl must be a finite',
        ];
        yield 'ttl -INF' => [static fn(Cache $cache): mixed => $cache->set('k', 1, -INF), '$ttl must be a finite'];
        yield 'ttl told by the value' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, static fn(): float => NAN),
            '$ttl must be a finite',
        ];
        yield 'an absolute time' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, 1_767_225_600.0),
            '1767225600 looks like a Unix time',
        ];
        yield 'an absolute time for set' => [
            static fn(Cache $cache): mixed => $cache->set('k', 1, 1_767_225_600.0),
            '1767225600 looks like a Unix time',
        ];
        yield 'an absolute time for touch' => [
            static fn(Cache $cache): mixed => $cache->touch('k', 1_767_225_600.0),
            '1767225600 looks like a Unix time',
        ];
        yield 'an absolute time for a counter' => [
            static fn(Cache $cache): mixed => $cache->increment('k', 1, 1, 1_767_225_600.0),
            '1767225600 looks like a Unix time',
        ];
        yield 'grace NAN' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, 1.0, NAN),
            '$grace must be a finite',
        ];
        yield 'grace INF' => [
            static fn(Cache $cache): mixed => $cache->set('k', 1, 1.0, INF),
            '$grace must be a finite',
        ];
        yield 'grace below zero' => [
            static fn(Cache $cache): mixed => $cache->set('k', 1, 1.0, -0.5),
            '$grace must not be negative',
        ];
        yield 'lease 0' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, lease: 0.0),
            '$lease must be more than 0',
        ];
        yield 'lease NAN' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, lease: NAN),
            '$lease must be more than 0',
        ];
        yield 'lease of two days' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, lease: 172_800.0),
            '$lease must be more than 0 seconds and at most 86400',
        ];
        yield 'wait below zero' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, wait: -1.0),
            '$wait must not be negative',
        ];
        yield 'wait NAN' => [
            static fn(Cache $cache): mixed => $cache->remember('k', $make, wait: NAN),
            '$wait must be a finite',
        ];
    }

    /** @param Closure(Cache): mixed $call */
    #[DataProvider('refused')]
    public function testRefuses(Closure $call, string $message): void
    {
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage($message);

        $call($this->cache());
    }

    /** @return iterable<string, array{Closure(): mixed, string}> */
    public static function refusedSettings(): iterable
    {
        yield 'ttl' => [static fn(): Settings => new Settings(ttl: INF), '$ttl'];
        yield 'grace' => [static fn(): Settings => new Settings(grace: -1.0), '$grace'];
        yield 'lease' => [static fn(): Settings => new Settings(lease: 0.0), '$lease'];
        yield 'unmeasured' => [static fn(): Settings => new Settings(unmeasured: NAN), '$unmeasured'];
        yield 'wait' => [static fn(): Settings => new Settings(wait: INF), '$wait'];
        yield 'early' => [static fn(): Settings => new Settings(early: -1.0), '$early'];
    }

    /** @param Closure(): mixed $make */
    #[DataProvider('refusedSettings')]
    public function testRefusesSettings(Closure $make, string $name): void
    {
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage($name);

        $make();
    }

    public function testAnIntervalIsAsLongAsItIsFromNowOn(): void
    {
        $this->clock->seconds = (float) (new DateTimeImmutable('2027-02-01 12:00:00.5 UTC'))->format('U.u');
        $cache = $this->cache();
        $month = new DateInterval('P1M');
        $cache->remember('remember', $this->compute(), $month);
        $cache->remember('told by the value', $this->compute(), static fn(): DateInterval => $month);
        $cache->rememberMultiple(['rememberMultiple'], static fn(array $keys): array => array_flip($keys), $month);
        $cache->set('set', 1, $month);
        $cache->setMultiple(['setMultiple' => 1], $month);
        $cache->setMultiple(['by key' => 1, 'another' => 1], ['by key' => $month, 'another' => 5]);
        foreach (['cas', 'casMultiple', 'touch', 'touchMultiple'] as $key) {
            $cache->set($key, 0);
        }
        $cache->cas('cas', 1, $cache->look('cas')['cas']->version, $month);
        $version = $cache->look('casMultiple')['casMultiple']->version;
        $cache->casMultiple(['casMultiple' => 1], ['casMultiple' => $version], $month);
        $cache->touch('touch', $month);
        $cache->touchMultiple(['touchMultiple'], $month);
        $cache->increment('increment', 1, 1, $month);
        $cache->decrement('decrement', 1, 1, $month);
        $looks = $cache->look(
            'remember',
            'told by the value',
            'rememberMultiple',
            'set',
            'setMultiple',
            'by key',
            'cas',
            'casMultiple',
            'touch',
            'touchMultiple',
        );

        self::assertSame(
            array_map(static fn(): float => 28 * 86_400.0, $looks),
            array_map(static fn(Inspection $look): ?float => $look->freshFor, $looks),
        );
        self::assertSame(5.0, $cache->look('another')['another']->freshFor);
        $this->pass(28 * 86_400.0 - 1.0);
        self::assertTrue($this->array->has('increment') && $this->array->has('decrement'));
        $this->pass(1.0);
        self::assertFalse($this->array->has('increment') || $this->array->has('decrement'));
        self::assertSame(60.0, (new Settings(ttl: new DateInterval('PT1M')))->ttl);
        $cache->set('for ever', 1, new DateInterval('P100Y'));
        self::assertNull($cache->look('for ever')['for ever']->freshFor, 'no mistake, as the number would be');
    }

    public function testAComputeIsAnythingThatCanBeCalled(): void
    {
        $object = new class {
            public function __invoke(): string
            {
                return 'invoked';
            }

            /**
             * @param list<string> $keys
             *
             * @return array<string, string>
             */
            public function all(array $keys = ['of one']): array
            {
                return array_fill_keys($keys, 'by a method');
            }
        };
        $cache = $this->cache();

        self::assertSame('invoked', $cache->remember('object', $object));
        self::assertSame(['of one' => 'by a method'], $cache->remember('method', [$object, 'all']));
        self::assertSame(PHP_VERSION, $cache->remember('function', 'phpversion'));
        self::assertSame(['a' => 'by a method'], $cache->rememberMultiple(['a'], [$object, 'all']));
    }

    public function testTheSettingsHoldUnlessACallSaysOtherwise(): void
    {
        $cache = $this->cache(new Settings(ttl: 50.0, grace: 7.0, early: 0.0));
        $cache->remember('settings', $this->compute());
        $cache->remember('call', $this->compute(), 5.0, 1.0);
        $looks = $cache->look('settings', 'call');

        self::assertSame([50.0, 57.0], [$looks['settings']->freshFor, $looks['settings']->keptFor]);
        self::assertSame([5.0, 6.0], [$looks['call']->freshFor, $looks['call']->keptFor]);
    }

    public function testAVeryLongWaitAndLeaseFit(): void
    {
        $cache = new Cache(new ArrayStore(), null, new Settings(lease: 86_400.0, wait: PHP_FLOAT_MAX));

        self::assertSame('made 1', $cache->remember('k', $this->compute(), wait: PHP_FLOAT_MAX));

        $lease = (int) $this->array->getOrLease('theirs')->lease;
        $looks = 0;
        $this->store->on('getOrLease', function () use (&$looks, $lease): null {
            if (++$looks === 3) {
                $this->array->set('theirs', 'waited for', null, $lease);
            }

            return null;
        });
        self::assertSame('waited for', $this->cache()->remember('theirs', $this->compute(), wait: PHP_FLOAT_MAX));
    }
}
