<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * A ttl runs by the real clock, and what is over is not there for anybody.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Lifetimes
{
    public function testAValueEndsWithItsTtlForEveryMethod(): void
    {
        $keys = ['get', 'has', 'read', 'many', 'add', 'replace', 'cas', 'touch', 'increment', 'delete', 'lease'];
        $written = $this->store->setMultiple(array_fill_keys($keys, 5), $this->tick());
        self::assertSame(array_fill_keys($keys, Outcome::Done), $written);
        self::assertSame(array_fill_keys($keys, 5), $this->other->getMultiple($keys));
        $version = $this->store->read('cas')->version;
        $this->waitATick();

        self::assertSame('missed', $this->store->get('get', 'missed'));
        self::assertFalse($this->store->has('has'));
        self::assertFalse($this->store->read('read')->hit);
        self::assertSame([], $this->store->getMultiple(['many']));
        self::assertSame(Outcome::NotFound, $this->store->replace('replace', 6));
        self::assertSame(Outcome::NotFound, $this->store->cas('cas', 6, $version));
        self::assertSame(Outcome::NotFound, $this->store->touch('touch', 100.0));
        self::assertSame(Outcome::NotFound, $this->store->increment('increment'));
        self::assertSame(Outcome::NotFound, $this->store->delete('delete'));
        self::assertSame(Outcome::Done, $this->store->add('add', 6));
        self::assertNotNull($this->store->getOrLease('lease')->lease);
        self::assertSame(['add' => 6], $this->store->getMultiple($keys));
    }

    public function testEachWriteTakesItsTtl(): void
    {
        $tick = $this->tick();
        $this->store->setMultiple(['replace' => 0, 'cas' => 0, 'touch' => 0, 'set' => 0]);
        self::assertSame(Outcome::Done, $this->store->set('set', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->add('add', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->replace('replace', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->cas('cas', 1, $this->store->read('cas')->version, $tick));
        self::assertSame(Outcome::Done, $this->store->touch('touch', $tick));
        self::assertSame(1, $this->store->increment('increment', 4, 1, $tick));
        self::assertSame(1, $this->store->decrement('decrement', 4, 1, $tick));
        $lease = $this->store->lease('leased');
        self::assertSame(Outcome::Done, $this->store->set('leased', 1, $tick, $lease));
        $keys = ['set', 'add', 'replace', 'cas', 'touch', 'increment', 'decrement', 'leased'];
        self::assertSame(array_diff($keys, array_keys($this->store->getMultiple($keys))), []);
        $this->waitATick();

        self::assertSame([], $this->other->getMultiple($keys));
    }

    public function testAWriteForgetsAnEarlierTtl(): void
    {
        $tick = $this->tick();
        $this->store->setMultiple(['set' => 0, 'replace' => 0, 'cas' => 0, 'touch' => 0, 'later' => 0], $tick);
        $this->store->set('set', 1);
        $this->store->replace('replace', 1);
        $this->store->cas('cas', 1, $this->store->read('cas')->version);
        $this->store->touch('touch');
        $this->store->touch('later', 100.0);
        $this->waitATick();

        self::assertSame(['set' => 1, 'replace' => 1, 'cas' => 1, 'touch' => 0, 'later' => 0], $this->other->getMultiple(['set', 'replace', 'cas', 'touch', 'later']));
    }

    public function testAnIncrementKeepsTheTtl(): void
    {
        $this->store->set('k', 1, $this->tick());
        self::assertSame(2, $this->store->increment('k', 1, 100, 100.0));
        $this->waitATick();

        self::assertFalse($this->store->has('k'));
    }

    public function testALongTtlIsLong(): void
    {
        foreach ([1.0, 86400.0, 31536000.0 * 100, 1e15, INF] as $ttl) {
            self::assertSame(Outcome::Done, $this->store->set('k', $ttl, $ttl));
            self::assertSame($ttl, $this->store->get('k'), "$ttl seconds");
        }
    }

    /** @return iterable<string, array{float}> */
    public static function noTime(): iterable
    {
        yield 'zero' => [0.0];
        yield 'minus zero' => [-0.0];
        yield 'minus a second' => [-1.0];
        yield 'minus infinity' => [-INF];
    }

    #[DataProvider('noTime')]
    public function testNoTimeRemovesTheKey(float $ttl): void
    {
        $keys = ['set', 'replace', 'cas', 'touch', 'many'];
        $this->store->setMultiple(array_fill_keys($keys, 1));
        $version = $this->store->read('cas')->version;

        self::assertSame(Outcome::Done, $this->store->set('set', 2, $ttl));
        self::assertSame(Outcome::Done, $this->store->replace('replace', 2, $ttl));
        self::assertSame(Outcome::Done, $this->store->cas('cas', 2, $version, $ttl));
        self::assertSame(Outcome::Done, $this->store->touch('touch', $ttl));
        self::assertSame(['many' => Outcome::Done], $this->store->setMultiple(['many' => 2], $ttl));
        self::assertSame([], $this->other->getMultiple($keys));
    }

    #[DataProvider('noTime')]
    public function testNoTimeStillAsksForItsCondition(float $ttl): void
    {
        $this->store->set('there', 1);
        self::assertSame(Outcome::Exists, $this->store->add('there', 2, $ttl));
        self::assertSame(Outcome::Exists, $this->store->cas('there', 2, $this->store->read('there')->version + 1, $ttl));
        self::assertSame(Outcome::NotFound, $this->store->replace('k', 2, $ttl));
        self::assertSame(Outcome::NotFound, $this->store->cas('k', 2, 1, $ttl));
        self::assertSame(Outcome::NotFound, $this->store->touch('k', $ttl));
        $lease = $this->store->lease('there');
        self::assertNotNull($lease);
        self::assertSame(Outcome::Exists, $this->store->set('there', 2, $ttl, $lease + 1));

        self::assertSame(1, $this->store->get('there'));
        self::assertFalse($this->store->has('k'));
    }
}
