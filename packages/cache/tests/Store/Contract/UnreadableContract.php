<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use ErrorException;
use Larder\Answer;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Metrics\Counters;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Psr\Pool;
use Larder\Psr\SimpleCache;
use Larder\Store;
use Larder\Store\Operation;
use Larder\Testbed\Process\Fork;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\LoggerInterface;

/**
 * What every store must do with a value that is there and cannot be read: each read of it is a miss, is counted by its
 * cause and logged once, and somebody gets to make it anew. Nothing is thrown, nothing is handed out in parts, and PHP
 * says nothing.
 *
 * The values are stored by another process, for which the classes are those of the release before.
 */
abstract class UnreadableContract extends TestCase
{
    /** For a class that another test has not got. */
    private static int $classes = 0;

    protected TestLog $log;
    protected MemoryCounters $counters;

    protected function setUp(): void
    {
        $this->log = new TestLog();
        $this->counters = new MemoryCounters();
        set_error_handler(static function (int $level, string $text): bool {
            return (error_reporting() & $level) === 0 ? false : throw new ErrorException($text);
        });
    }

    protected function tearDown(): void
    {
        restore_error_handler();
        $this->open($this->log, $this->counters)->clear();
    }

    /** A handle on one namespace, the same for each. */
    abstract protected function open(LoggerInterface $log, Counters $counters): Store;

    /** Lines in which a cause is logged of a value that another process has stored. */
    protected function lines(): int
    {
        return 1;
    }

    /**
     * Classes before and after, the value, the cause, and what is said of it.
     *
     * @return iterable<string, array{string, string, string, string, string}>
     */
    final public static function causes(): iterable
    {
        $throws = 'throw new \DomainException("not now")';
        $reads = 'public function __serialize(): array { return []; } public function __unserialize(array $a): void';
        yield 'a property of another type' => [
            'final class C { public $views = "many"; }',
            'final class C { public int $views = 0; }',
            'new C()',
            'class_changed',
            '::$views of type int',
        ];
        yield 'a class that is gone' => ['final class C { public $a = 1; }', '', 'new C()', 'class_gone', 'class C'];
        yield 'one that is gone, deep inside' => [
            'final class C { public $a = 1; }',
            '',
            '["a" => ["text", 1, [new C(), new C()]], "b" => str_repeat("b", 20_000)]',
            'class_gone',
            'class C',
        ];
        $enum = 'enum C { case A; }';
        yield 'a case that is gone' => ['enum C { case A; case B; }', $enum, '[C::B]', 'class_gone', 'C::B'];
        yield 'an enum that is gone' => ['enum C { case A; }', '', 'C::A', 'class_gone', 'C'];
        yield 'an enum that has become a class' => [$enum, 'final class C {}', '[C::A]', 'class_gone', 'C'];
        yield '__wakeup throws' => [
            'final class C { public $a = 1; public function __wakeup(): void {} }',
            "final class C { public \$a = 1; public function __wakeup(): void { $throws; } }",
            '["in" => new C()]',
            'class_changed',
            'DomainException: not now',
        ];
        yield '__unserialize throws' => [
            "final class C { $reads {} }",
            "final class C { $reads { $throws; } }",
            'new C()',
            'class_changed',
            'DomainException: not now',
        ];
        yield '__unserialize uses what is not there' => [
            'final class C { public function __serialize(): array { return ["old" => 1]; } '
                . 'public function __unserialize(array $a): void {} }',
            'final class C { public int $n; '
                . 'public function __unserialize(array $a): void { $this->n = $a["new"] ?? []; } }',
            '[new C()]',
            'class_changed',
            'TypeError',
        ];
    }

    #[DataProvider('causes')]
    final public function testWhatCannotBeReadIsAMissAndIsSaid(
        string $before,
        string $after,
        string $value,
        string $cause,
        string $said,
    ): void {
        [$before, $after, $value, $said] = self::named($before, $after, $value, $said);
        $store = $this->open($this->log, $this->counters);
        $this->stored($before, $value, static function (Store $store, mixed $value): void {
            $store->setMultiple(['k' => $value, 'l' => $value, 'whole' => 'whole']);
            self::readAgain($store, ['k', 'l', 'whole']);
        });
        eval($after);

        $this->assertUnreadable($store, $cause, $said, $this->lines());
    }

    #[DataProvider('causes')]
    final public function testACacheMakesItAnew(
        string $before,
        string $after,
        string $value,
        string $cause,
        string $said,
    ): void {
        [$before, $after, $value] = self::named($before, $after, $value, $said);
        $keys = ['remember', 'remembered', 'get', 'batch', 'many', 'pool', 'simple', 'tagged'];
        $this->stored($before, $value, static function (Store $store, mixed $value) use ($keys): void {
            (new Cache($store))->setMultiple(array_fill_keys($keys, $value), 600);
            self::readAgain($store, $keys);
        });
        eval($after);
        $cache = new Cache($this->open($this->log, $this->counters), log: $this->log, counters: $this->counters);
        $made = 0;
        $make = static function () use (&$made): string {
            ++$made;

            return 'anew';
        };
        $all = static function (array $keys) use ($make): array {
            self::assertSame(['batch'], $keys);

            return ['batch' => $make()];
        };

        self::assertFalse($cache->has('get'));
        self::assertSame('none', $cache->get('get', 'none'));
        self::assertFalse($cache->fetch('get'));
        self::assertSame([], $cache->getMultiple(['get', 'many']));
        for ($call = 1; $call <= 2; ++$call) {
            $cache->remember('remember', $make, ttl: 600);
            self::assertSame('anew', $cache->get('remember'));
            self::assertSame(['batch' => 'anew'], $cache->rememberMultiple(['batch'], $all, ttl: 600));
        }
        $pool = new Pool($cache, log: $this->log);
        self::assertFalse($pool->getItem('pool')->isHit());
        self::assertFalse($pool->getItems(['pool', 'many'])['many']->isHit());
        $simple = new SimpleCache($cache, log: $this->log);
        self::assertSame(['simple' => 1, 'many' => 1], $simple->getMultiple(['simple', 'many'], 1));
        (new TaggedCache($cache, 600, log: $this->log))->get('tagged', $make);
        self::assertSame('anew', $cache->get('tagged'));
        self::assertSame(3, $made);
        self::assertCount($this->lines(), $this->log->lines(), implode("\n", $this->log->lines()));
        $cache->flush();
        self::assertArrayHasKey("larder_store_failures_total{cause=\"$cause\"}", Counted::by($this->counters));
    }

    /** All reads of `k` and `l`, which cannot be read, single and with others; then it is made anew. */
    final protected function assertUnreadable(Store $store, string $cause, string $said, int $lines): void
    {
        self::assertSame('missed', $store->get('k', 'missed'));
        self::assertEquals(new Answer(), $store->read('k'));
        self::assertSame(['whole' => 'whole'], $store->getMultiple(['k', 'whole', 'l']));
        $reads = Operation::run($store, [Operation::read('l'), Operation::read('whole')]);
        self::assertFalse($reads[0]->hit);
        self::assertSame('whole', $reads[1]->value);
        $answer = $store->getOrLease('k');
        self::assertFalse($answer->hit);
        self::assertNotNull($answer->lease, 'or nobody would make it anew');
        self::assertNull($store->getOrLease('k')->lease);
        self::assertSame(Outcome::Done, $store->set('k', 'anew', lease: $answer->lease));
        self::assertSame('anew', $store->get('k'));
        self::assertSame(Outcome::Exists, $store->increment('l'), 'it is no counter');

        $counted = Counted::by($this->counters);
        self::assertSame(["larder_store_failures_total{cause=\"$cause\"}"], array_keys($counted));
        self::assertGreaterThanOrEqual(7, array_sum($counted));
        self::assertCount($lines, $this->log->lines(), implode("\n", $this->log->lines()));
        foreach ($this->log->lines() as $line) {
            self::assertStringContainsString('"', $line, 'names the key');
            self::assertTrue($said === '' || str_contains($line, $said), $line);
        }
    }

    /**
     * So often that it is brought near where there is a near store: that has to know the far server first.
     *
     * @param list<string> $keys
     */
    private static function readAgain(Store $store, array $keys): void
    {
        for ($i = 0; $i < 3; ++$i) {
            $store->getMultiple($keys);
        }
    }

    /**
     * In another process, which has these classes.
     *
     * @param callable(Store, mixed): void $store
     */
    protected function stored(string $classes, string $value, callable $store): void
    {
        $child = Fork::start(function () use ($classes, $value, $store): void {
            eval($classes);
            $store($this->open(new TestLog(), new MemoryCounters()), eval("return $value;"));
        });
        pcntl_waitpid($child, $status);
    }

    /** @return list<string> with a class of its own for C */
    private static function named(string ...$texts): array
    {
        $class = 'Unreadable' . ++self::$classes . substr(md5(static::class), 0, 8);

        return array_map(
            static fn(string $text): string => (string) preg_replace('/\bC\b/', $class, $text),
            array_values($texts),
        );
    }
}
