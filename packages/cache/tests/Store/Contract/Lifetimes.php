<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * How long a ttl may be, and what no time does; see also Endings.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Lifetimes
{
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
        self::assertSame(
            Outcome::Exists,
            $this->store->cas('there', 2, $this->store->read('there')->version + 1, $ttl),
        );
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
