<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\TestCase;

/**
 * A version stands for one write: no other write of the key, ever, has the same.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Versions
{
    public function testCasStoresOverTheVersionThatWasRead(): void
    {
        $this->store->set('k', 'a');
        $version = $this->store->read('k')->version;

        self::assertNotSame(0, $version);
        self::assertSame($version, $this->other->read('k')->version);
        self::assertSame(Outcome::Done, $this->other->cas('k', 'b', $version));
        self::assertSame('b', $this->store->get('k'));
        self::assertSame(Outcome::Exists, $this->store->cas('k', 'c', $version));
        self::assertSame('b', $this->store->get('k'));
        self::assertSame(Outcome::NotFound, $this->store->cas('other', 'c', $version));
        self::assertFalse($this->store->has('other'));
    }

    public function testEveryWriteGivesANewVersion(): void
    {
        $seen = [];
        foreach ([
            fn() => $this->store->set('k', 1),
            fn() => $this->store->set('k', 1),
            fn() => $this->other->replace('k', 1),
            fn() => $this->store->cas('k', 1, $this->store->read('k')->version),
            fn() => $this->store->increment('k', 0),
            fn() => $this->other->decrement('k', 0),
            fn() => $this->store->setMultiple(['k' => 1]),
            fn() => [$this->store->delete('k'), $this->other->set('k', 1)],
            fn() => [$this->store->delete('k'), $this->other->add('k', 1)],
            fn() => [$this->store->clear(), $this->other->increment('k', 1, 1)],
        ] as $number => $write) {
            $write();
            $version = $this->store->read('k')->version;
            self::assertNotContains($version, $seen, "write $number");
            foreach ($seen as $old) {
                self::assertSame(Outcome::Exists, $this->store->cas('k', 2, $old), "write $number");
            }
            self::assertSame($version, $this->store->read('k')->version, 'a cas that fails changes nothing');
            $seen[] = $version;
        }
        self::assertSame(1, $this->store->get('k'));
    }

    public function testWhatWasDeletedAndSetAgainIsAnother(): void
    {
        $this->store->set('k', 'a');
        $version = $this->store->read('k')->version;
        $this->other->delete('k');
        self::assertSame(Outcome::NotFound, $this->store->cas('k', 'b', $version));
        $this->other->set('k', 'a');

        self::assertSame(Outcome::Exists, $this->store->cas('k', 'b', $version));
        self::assertSame('a', $this->store->get('k'));
    }

    public function testLookingAndTouchingKeepTheVersion(): void
    {
        $this->store->set('k', 'a');
        $version = $this->store->read('k')->version;
        $this->other->get('k');
        $this->other->touch('k', 100.0);
        $this->other->add('k', 'b');
        $this->other->getOrLease('k');
        $this->other->lease('k');

        self::assertSame($version, $this->store->read('k')->version);
        self::assertSame(Outcome::Done, $this->store->cas('k', 'c', $version));
    }
}
