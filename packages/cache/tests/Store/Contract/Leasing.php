<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Closure;
use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * A lease has one holder, and a process that lost it cannot store with it; see also Endings.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Leasing
{
    public function testOneOfAllGetsTheLeaseOfAMissingKey(): void
    {
        $won = $this->store->getOrLease('k');

        self::assertSame([false, null, 0, false], [$won->hit, $won->value, $won->version, $won->stale]);
        self::assertNotNull($won->lease);
        foreach ([$this->other, $this->store] as $store) {
            $lost = $store->getOrLease('k');
            self::assertSame([false, null], [$lost->hit, $lost->lease]);
            self::assertNull($store->lease('k'));
        }
        self::assertNotNull($this->other->getOrLease('another')->lease, 'leases are by key');
        self::assertFalse($this->other->has('k'));
        self::assertNull($this->other->get('k'));
    }

    public function testTheHolderStoresOnce(): void
    {
        $lease = $this->store->getOrLease('k')->lease;

        self::assertSame(Outcome::Done, $this->store->set('k', 'made', lease: $lease));
        $answer = $this->other->getOrLease('k');
        self::assertSame([true, 'made', null], [$answer->hit, $answer->value, $answer->lease]);
        self::assertNotSame(0, $answer->version);
        self::assertSame(Outcome::Exists, $this->store->set('k', 'again', lease: $lease));
        self::assertFalse($this->store->release('k', (int) $lease));
        self::assertSame('made', $this->store->get('k'));
    }

    public function testAPresentKeyCanBeLeasedToo(): void
    {
        $this->store->set('k', 'old');
        $lease = $this->store->lease('k');

        self::assertNotNull($lease);
        self::assertNull($this->other->lease('k'));
        $answer = $this->other->getOrLease('k');
        self::assertSame([true, 'old', null], [$answer->hit, $answer->value, $answer->lease]);
        self::assertSame('old', $this->other->get('k'));
        self::assertSame(Outcome::Done, $this->store->set('k', 'new', lease: $lease));
        self::assertSame('new', $this->other->get('k'));
        self::assertNotNull($this->other->lease('k'));
    }

    /** @return iterable<string, array{Closure(Store, string, int): mixed}> */
    public static function ends(): iterable
    {
        yield 'set' => [static fn(Store $store) => $store->set('k', 'else')];
        yield 'set with no time' => [static fn(Store $store) => $store->set('k', 'else', 0.0)];
        yield 'replace' => [static fn(Store $store) => $store->replace('k', 'else')];
        yield 'cas' => [static fn(Store $store) => $store->cas('k', 'else', $store->read('k')->version)];
        yield 'cas with no time' => [
            static fn(Store $store) => $store->cas('k', 'else', $store->read('k')->version, 0.0),
        ];
        yield 'touch with no time' => [static fn(Store $store) => $store->touch('k', 0.0)];
        yield 'setMultiple' => [static fn(Store $store) => $store->setMultiple(['j' => 1, 'k' => 'else'])];
        yield 'delete' => [static fn(Store $store) => $store->delete('k')];
        yield 'delete of a missing key' => [static fn(Store $store) => [$store->delete('k'), $store->delete('k')]];
        yield 'deleteMultiple' => [static fn(Store $store) => $store->deleteMultiple(['j', 'k'])];
        yield 'clear' => [static fn(Store $store) => $store->clear()];
        yield 'release' => [static fn(Store $store, string $key, int $lease) => $store->release($key, $lease)];
    }

    /** @param Closure(Store, string, int): mixed $end */
    #[DataProvider('ends')]
    public function testALeaseEndsBy(Closure $end): void
    {
        $this->store->set('k', 'before');
        $lease = $this->store->lease('k');
        self::assertNotNull($lease);
        $end($this->other, 'k', $lease);
        $now = $this->other->get('k', 'missed');

        self::assertSame(Outcome::Exists, $this->store->set('k', 'late', lease: $lease));
        self::assertSame($now, $this->other->get('k', 'missed'));
        self::assertFalse($this->store->release('k', $lease));
        $next = $this->other->lease('k');
        self::assertNotNull($next);
        self::assertNotSame($lease, $next);
        self::assertSame(
            Outcome::Exists,
            $this->store->set('k', 'late', lease: $lease),
            'the next one\'s lease is another',
        );
        self::assertFalse($this->store->release('k', $lease));
        self::assertSame(Outcome::Done, $this->other->set('k', 'next', lease: $next));
    }

    public function testADeleteOfAMissingKeyEndsTheLease(): void
    {
        $lease = $this->store->getOrLease('k')->lease;

        self::assertSame(Outcome::NotFound, $this->other->delete('k'));
        self::assertSame(Outcome::Exists, $this->store->set('k', 'late', lease: $lease));
        self::assertFalse($this->store->has('k'));
    }

    public function testAnAddEndsTheLease(): void
    {
        $lease = $this->store->getOrLease('k')->lease;

        self::assertSame(Outcome::Done, $this->other->add('k', 'else'));
        self::assertSame(Outcome::Exists, $this->store->set('k', 'late', lease: $lease));
        self::assertSame('else', $this->store->get('k'));
    }

    public function testAReleasedLeaseIsTheNextOnes(): void
    {
        $lease = $this->store->getOrLease('k')->lease;
        self::assertNotNull($lease);

        self::assertFalse($this->store->release('k', $lease + 1));
        self::assertFalse($this->store->release('another', $lease));
        self::assertNull($this->other->getOrLease('k')->lease, 'it is still held');
        self::assertTrue($this->store->release('k', $lease));
        self::assertNotNull($this->other->getOrLease('k')->lease);
    }

    public function testALeaseIsForItsKeyOnly(): void
    {
        $lease = $this->store->getOrLease('k')->lease;

        self::assertSame(Outcome::Exists, $this->store->set('another', 1, lease: $lease));
        self::assertFalse($this->store->has('another'));
        self::assertSame(Outcome::Exists, $this->store->set('k', 1, lease: (int) $lease + 1));
        self::assertSame(Outcome::Done, $this->store->set('k', 1, lease: $lease));
    }

    public function testReadingAndRefusedWritesLeaveALease(): void
    {
        $this->store->set('k', 'old');
        $lease = $this->store->lease('k');
        $this->other->get('k');
        $this->other->read('k');
        $this->other->has('k');
        $this->other->getMultiple(['k']);
        $this->other->getOrLease('k');
        $this->other->touch('k', 100.0);
        self::assertSame(Outcome::Exists, $this->other->add('k', 'else'));
        self::assertSame(Outcome::Exists, $this->other->cas('k', 'else', $this->other->read('k')->version + 1));

        self::assertSame(Outcome::Done, $this->store->set('k', 'new', lease: $lease));
    }
}
