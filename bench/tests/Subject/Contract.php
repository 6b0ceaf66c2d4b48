<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;
use Larder\Bench\Subject\Subject;
use Larder\Testbed\Server\Endpoint;
use PHPUnit\Framework\Assert;

/** What every subject must do, whatever is behind it. No part of a TestCase, so that another process can run it. */
final readonly class Contract
{
    /** @param list<Endpoint> $endpoints */
    public function __construct(
        private Definition $definition,
        private array $endpoints,
        private string $directory,
        private string $prefix,
    ) {}

    public function check(): void
    {
        $subject = $this->connected();
        // A subject connects again after it was closed.
        $subject->close();
        $checks = [
            KeyValue::class => fn() => $subject instanceof KeyValue && $this->keyValue($subject),
            ManyKeys::class => fn() => $subject instanceof ManyKeys && $this->manyKeys($subject),
            Counting::class => fn() => $subject instanceof Counting && $this->counting($subject),
            CountingMany::class => fn() => $subject instanceof CountingMany && $this->countingMany($subject),
            Appending::class => fn() => $subject instanceof Appending && $this->appending($subject),
            Collections::class => fn() => $subject instanceof Collections
                && $this->lists($subject) && $this->hashes($subject) && $this->sets($subject),
            Objects::class => fn() => $subject instanceof Objects
                && $this->objects($subject) && $this->repeated($subject),
            RepeatedWrites::class => fn() => $subject instanceof RepeatedWrites && $this->rewriting($subject),
            MemoryReporting::class => fn() => $subject instanceof MemoryReporting && $this->weighing($subject),
        ];
        $subject->connect($this->context());
        foreach ($checks as $interface => $check) {
            if ($this->definition->can($interface)) {
                Assert::assertTrue($check(), $interface . ' is promised and not there');
            }
        }
        $subject->close();
    }

    private function keyValue(KeyValue $subject): bool
    {
        $other = $this->definition->shared ? $this->connected(0) : $subject;
        foreach (Samples::values() as $name => $value) {
            $key = $this->prefix . 'value:' . $name;
            Assert::assertNull($subject->get($key), $name . ': there before it was set');
            $subject->set($key, $value);
            self::same($value, $subject->get($key), $name);
            Assert::assertInstanceOf(KeyValue::class, $other);
            self::same($value, $other->get($key), $name . ', read by another');
            $subject->set($key, $name);
            self::same($name, $subject->get($key), $name . ', overwritten');
            $subject->delete($key);
            Assert::assertNull($subject->get($key), $name . ': there after it was deleted');
            $subject->delete($key);
        }
        foreach ([
            $this->prefix . '../../' . str_repeat('k', 120) . '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
            (string) random_int(10_000_000, PHP_INT_MAX),
        ] as $key) {
            $subject->set($key, "of {$key}");
            self::same("of {$key}", $subject->get($key), $key);
            Assert::assertNull($subject->get($key . '-'), 'a longer key');
            $subject->delete($key);
        }
        if ($other !== $subject) {
            $other->close();
        }

        return true;
    }

    private function manyKeys(ManyKeys $subject): bool
    {
        $values = [];
        foreach (range(40, 1) as $number) {
            $values[$this->prefix . 'many:' . $number] = $number % 3 === 0
                ? random_bytes($number * 50)
                : "value {$number}";
        }
        $keys = array_keys($values);
        Assert::assertSame([], $subject->getMany($keys));
        $subject->setMany($values);
        self::sameMany($values, $subject->getMany($keys));
        self::same($values[$keys[7]], $subject->get($keys[7]), 'alone');
        self::sameMany(
            \array_slice($values, 0, 3),
            $subject->getMany([$this->prefix . 'many:no', ...\array_slice($keys, 0, 3), $this->prefix . 'many:nor']),
        );
        $changed = [...$values, $keys[0] => 'changed', $this->prefix . 'many:new' => 'new'];
        $subject->setMany($changed);
        self::sameMany($changed, $subject->getMany(array_keys($changed)));
        $subject->deleteMany([...\array_slice($keys, 0, 20), $this->prefix . 'many:no']);
        self::sameMany(\array_slice($changed, 20), $subject->getMany(array_keys($changed)));
        $subject->deleteMany(array_keys($changed));
        Assert::assertSame([], $subject->getMany($keys));
        $subject->setMany([$this->prefix . 'many:1' => 'one']);
        self::sameMany([$this->prefix . 'many:1' => 'one'], $subject->getMany([$this->prefix . 'many:1']));
        $subject->deleteMany([$this->prefix . 'many:1']);

        return true;
    }

    private function rewriting(RepeatedWrites $subject): bool
    {
        Assert::assertTrue($subject instanceof ManyKeys && $subject instanceof Counting);
        $keys = [$this->prefix . 'each:1', $this->prefix . 'each:2', $this->prefix . 'each:1'];
        $before = $subject->entries();
        $subject->setEach($keys, 'a value');
        Assert::assertSame($before + 2, $subject->entries());
        self::sameMany([$keys[0] => 'a value', $keys[1] => 'a value'], $subject->getMany(\array_slice($keys, 0, 2)));
        $subject->deleteMany($keys);
        $subject->setCounter($this->prefix . 'repeated', 5);
        Assert::assertSame(12, $subject->incrementRepeatedly($this->prefix . 'repeated', 7));
        $subject->deleteMany([$this->prefix . 'repeated']);
        Assert::assertSame($before, $subject->entries());

        return true;
    }

    private function counting(Counting $subject): bool
    {
        $key = $this->prefix . 'counter';
        $subject->setCounter($key, 1);
        Assert::assertSame(
            [2, 3, 4, 14],
            [
                $subject->increment($key),
                $subject->increment($key),
                $subject->increment($key),
                $subject->increment($key, 10),
            ],
        );
        Assert::assertSame(
            [13, 12, 7, 0],
            [
                $subject->decrement($key),
                $subject->decrement($key),
                $subject->decrement($key, 5),
                $subject->decrement($key, 7),
            ],
        );
        $subject->setCounter($key, 99);
        Assert::assertSame(100, $subject->increment($key));
        Assert::assertSame(99, $subject->decrement($key));
        Assert::assertSame(1_000_000_099, $subject->increment($key, 1_000_000_000));

        return true;
    }

    private function countingMany(CountingMany $subject): bool
    {
        $expected = [];
        // Not in order, as a client may answer in that of the keys or of an index.
        foreach ([7, 2, 9, 4] as $number) {
            $key = $this->prefix . 'counter:' . $number;
            $subject->setCounter($key, $number);
            $expected[$key] = $number + 5;
        }
        $found = $subject->incrementMany(array_keys($expected), 5);
        ksort($expected);
        ksort($found);
        Assert::assertSame($expected, $found);
        Assert::assertSame(15, $subject->increment($this->prefix . 'counter:9'));

        return true;
    }

    private function appending(Appending $subject): bool
    {
        $key = $this->prefix . 'append';
        $subject->set($key, "start\0");
        $subject->append($key, "\r\n\xff\x01");
        $subject->append($key, random_bytes(0x10) . 'x');
        $value = $subject->get($key);
        Assert::assertIsString($value);
        self::same("start\0\r\n\xff\x01", substr($value, 0, 10), 'appended');
        Assert::assertSame(27, \strlen($value));
        $subject->delete($key);

        return true;
    }

    private function lists(Collections $subject): bool
    {
        $key = $this->prefix . 'list';
        $subject->delete($key);
        Assert::assertSame(
            [1, 2, 3],
            [$subject->pushRight($key, "b\0"), $subject->pushRight($key, 'c'), $subject->pushLeft($key, 'a')],
        );
        Assert::assertSame(
            ['a', "b\0", 'c', null],
            [$subject->popLeft($key), $subject->popLeft($key), $subject->popLeft($key), $subject->popLeft($key)],
        );

        return true;
    }

    private function hashes(Collections $subject): bool
    {
        $key = $this->prefix . 'hash';
        $subject->delete($key);
        Assert::assertSame([], $subject->fields($key));
        $subject->setFields($key, ['one' => '1', 'two' => "2\0"]);
        $subject->setFields($key, ['two' => "zwei\r\n", 'three' => '']);
        Assert::assertSame([true, false], [$subject->hasField($key, 'one'), $subject->hasField($key, 'four')]);
        Assert::assertSame(
            ["zwei\r\n", '', null],
            [$subject->field($key, 'two'), $subject->field($key, 'three'), $subject->field($key, 'four')],
        );
        Assert::assertEquals(['one' => '1', 'two' => "zwei\r\n", 'three' => ''], $subject->fields($key));

        return true;
    }

    private function sets(Collections $subject): bool
    {
        [$from, $to] = [$this->prefix . 'set:a', $this->prefix . 'set:b'];
        $subject->delete($from);
        $subject->delete($to);
        Assert::assertNull($subject->random($from));
        Assert::assertSame(
            [true, true, false],
            [$subject->add($from, 'x'), $subject->add($from, "y\0"), $subject->add($from, 'x')],
        );
        Assert::assertSame([true, false], [$subject->holds($from, "y\0"), $subject->holds($from, 'z')]);
        Assert::assertContains($subject->random($from), ['x', "y\0"]);
        Assert::assertSame(
            [true, false, false],
            [$subject->move($from, $to, 'x'), $subject->move($from, $to, 'x'), $subject->holds($from, 'x')],
        );
        Assert::assertSame('x', $subject->random($to));

        return true;
    }

    private function objects(Objects $subject): bool
    {
        $key = $this->prefix . 'object';
        Assert::assertNull($subject->getObject($key . ':no'));
        foreach ([
            ['id' => 7, 'tags' => ['a', 'b'], 'price' => 1.5, 'on' => true, 'none' => null],
            range(1, 3000),
            "text\r\n",
        ] as $value) {
            $subject->setObject($key, $value);
            Assert::assertSame($value, $subject->getObject($key));
        }

        return true;
    }

    private function repeated(Objects $subject): bool
    {
        $value = ['id' => 7, 'tags' => ['a', 'b']];
        $subject->setObject($this->prefix . 'again', $value);
        $subject->setObject($this->prefix . 'other', 'other');
        Assert::assertSame($value, $subject->getRepeatedly($this->prefix . 'again', 1));
        Assert::assertSame($value, $subject->getRepeatedly($this->prefix . 'again', 1000));
        Assert::assertSame('other', $subject->getRepeatedly($this->prefix . 'other', 3));

        return true;
    }

    private function weighing(MemoryReporting $subject): bool
    {
        $before = $subject->usage();
        Assert::assertGreaterThanOrEqual(0, $before->bytes);
        if ($before->entries === null || $before->entryBytes === null || !$subject instanceof Objects) {
            return true;
        }
        foreach (range(1, 10) as $number) {
            $subject->setObject($this->prefix . 'weight:' . $number, str_repeat((string) $number, 10_000));
        }
        $usage = $subject->usage();
        Assert::assertSame($before->entries + 10, $usage->entries);
        // What was removed before may be given back meanwhile, so only the growth has a bound.
        Assert::assertLessThan($before->bytes + 140_000, $usage->bytes);
        Assert::assertEqualsWithDelta($before->entryBytes + 110_000, $usage->entryBytes, 30_000);
        Assert::assertSame(0, $usage->evictions);
        Assert::assertNotSame('', $usage->eviction);

        return true;
    }

    private function connected(int $worker = -1): Subject
    {
        $subject = ($this->definition->make)();
        $subject->connect($this->context($worker));

        return $subject;
    }

    private function context(int $worker = -1): Context
    {
        return new Context($this->endpoints, $this->directory, $worker, $this->prefix, 5.0);
    }

    /** Not assertSame(): half a megabyte is no help in a message. */
    private static function same(string $expected, ?string $found, string $name): void
    {
        Assert::assertNotNull($found, $name . ': nothing came back');
        Assert::assertTrue(
            $expected === $found,
            \sprintf('%s: %d bytes came back, not the %d that were set', $name, \strlen($found), \strlen($expected)),
        );
    }

    /**
     * @param array<string, string> $expected
     * @param array<string, string> $found
     */
    private static function sameMany(array $expected, array $found): void
    {
        ksort($expected);
        ksort($found);
        Assert::assertSame(array_keys($expected), array_keys($found));
        Assert::assertTrue($expected === $found, 'a value is another');
    }
}
