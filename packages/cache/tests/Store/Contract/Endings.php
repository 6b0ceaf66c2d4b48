<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Closure;
use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\TestCase;

/**
 * What lasts for a tick is over after it, for everybody. Since a tick may be seconds, all cases are prepared first and
 * share one wait.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Endings
{
    public function testWhatLastsForATickIsOverAfterIt(): void
    {
        $cases = [
            $this->valueEndsWithItsTtlForEveryMethod(),
            $this->eachWriteTakesItsTtl(),
            $this->writeForgetsAnEarlierTtl(),
            $this->incrementKeepsTheTtl(),
            $this->leaseEndsByItself(),
            $this->valueThatEndsCanBeMadeByOne(),
        ];
        usleep((int) (1e6 * $this->tick() * 1.5));

        foreach ($cases as $check) {
            $check();
        }
    }

    /** @return Closure(): void what must be so after the wait */
    private function valueEndsWithItsTtlForEveryMethod(): Closure
    {
        $keys = ['get', 'has', 'read', 'many', 'add', 'replace', 'cas', 'touch', 'increment', 'delete', 'lease'];
        $written = $this->store->setMultiple(array_fill_keys($keys, 5), $this->tick());
        self::assertSame(array_fill_keys($keys, 5), $this->other->getMultiple($keys));
        self::assertSame(array_fill_keys($keys, Outcome::Done), $written);
        $version = $this->store->read('cas')->version;

        return function () use ($keys, $version): void {
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
        };
    }

    /** @return Closure(): void */
    private function eachWriteTakesItsTtl(): Closure
    {
        $tick = $this->tick();
        $this->store->setMultiple(['w-replace' => 0, 'w-cas' => 0, 'w-touch' => 0, 'w-set' => 0]);
        $version = $this->store->read('w-cas')->version;
        $lease = $this->store->lease('w-leased');
        self::assertSame(Outcome::Done, $this->store->set('w-set', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->add('w-add', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->replace('w-replace', 1, $tick));
        self::assertSame(Outcome::Done, $this->store->cas('w-cas', 1, $version, $tick));
        self::assertSame(Outcome::Done, $this->store->touch('w-touch', $tick));
        self::assertSame(1, $this->store->increment('w-increment', 4, 1, $tick));
        self::assertSame(1, $this->store->decrement('w-decrement', 4, 1, $tick));
        self::assertSame(Outcome::Done, $this->store->set('w-leased', 1, $tick, $lease));
        $writes = ['set', 'add', 'replace', 'cas', 'touch', 'increment', 'decrement', 'leased'];
        $keys = array_map(static fn(string $write): string => 'w-' . $write, $writes);
        self::assertSame([], array_diff($keys, array_keys($this->store->getMultiple($keys))));

        return fn() => self::assertSame([], $this->other->getMultiple($keys));
    }

    /** @return Closure(): void */
    private function writeForgetsAnEarlierTtl(): Closure
    {
        $keys = ['f-set', 'f-replace', 'f-cas', 'f-touch', 'f-later'];
        $this->store->setMultiple(array_fill_keys($keys, 0), $this->tick());
        $this->store->set('f-set', 1);
        $this->store->replace('f-replace', 1);
        $this->store->cas('f-cas', 1, $this->store->read('f-cas')->version);
        $this->store->touch('f-touch');
        $this->store->touch('f-later', 100.0);

        return fn() => self::assertSame(
            ['f-set' => 1, 'f-replace' => 1, 'f-cas' => 1, 'f-touch' => 0, 'f-later' => 0],
            $this->other->getMultiple($keys),
        );
    }

    /** @return Closure(): void */
    private function incrementKeepsTheTtl(): Closure
    {
        $this->store->set('counter', 1, $this->tick());
        self::assertSame(2, $this->store->increment('counter', 1, 100, 100.0));

        return fn() => self::assertFalse($this->store->has('counter'));
    }

    /** @return Closure(): void */
    private function leaseEndsByItself(): Closure
    {
        $lease = $this->store->getOrLease('leased', $this->tick() / 2)->lease;
        self::assertNotNull($lease);
        self::assertNull($this->other->getOrLease('leased')->lease);

        return function () use ($lease): void {
            self::assertSame(Outcome::Exists, $this->store->set('leased', 'late', lease: $lease));
            self::assertFalse($this->store->release('leased', $lease));
            $next = $this->other->getOrLease('leased')->lease;
            self::assertNotNull($next);
            self::assertSame(Outcome::Exists, $this->store->set('leased', 'late', lease: $lease));
            self::assertSame(Outcome::Done, $this->other->set('leased', 'next', lease: $next));
            self::assertSame('next', $this->store->get('leased'));
        };
    }

    /** @return Closure(): void */
    private function valueThatEndsCanBeMadeByOne(): Closure
    {
        $this->store->set('made', 'old', $this->tick());
        self::assertNull($this->store->getOrLease('made')->lease);

        return function (): void {
            $lease = $this->store->getOrLease('made')->lease;
            self::assertNotNull($lease);
            self::assertNull($this->other->getOrLease('made')->lease);
            self::assertSame(Outcome::Done, $this->store->set('made', 'new', lease: $lease));
            self::assertSame('new', $this->other->get('made'));
        };
    }
}
