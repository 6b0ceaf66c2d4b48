<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use PHPUnit\Framework\Assert;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Throwable;

/** A server that has died is a failure in every call, each time, and never a key that is not there. */
final class ServerGoneTest extends TestCase
{
    /** @return iterable<string, array{Kind}> */
    public static function kinds(): iterable
    {
        yield 'memcached' => [Kind::Memcached];
        yield 'Redis' => [Kind::Redis];
        yield 'MariaDB' => [Kind::MariaDb];
    }

    #[DataProvider('kinds')]
    public function testEveryCallFails(Kind $kind): void
    {
        $servers = new Servers();
        try {
            $subjects = $rows = [];
            foreach (Catalogue::standard()->all() as $row) {
                // Those with modules of their own have a process of their own.
                if ($row->needs === $kind && $row->missing() === [] && $row->modules === []) {
                    $subjects[$row->id] = $subject = ($row->make)();
                    $subject->connect(new Context($servers->endpoints($kind, 1), $servers->directory, timeout: 2.0));
                    $rows[$row->id] = $row;
                    self::fill($row, $subject);
                }
            }
            self::assertGreaterThan(4, \count($subjects));
            $servers->stopOne($kind, 0);
            foreach ($subjects as $id => $subject) {
                foreach (self::calls($rows[$id], $subject) as $call => $do) {
                    self::assertFails("{$id}, {$call}", $do);
                    self::assertFails("{$id}, {$call} again", $do);
                }
            }
            foreach (array_keys($subjects) as $id) {
                $new = (Catalogue::standard()->get($id)->make)();
                self::assertFails(
                    $id . ', connect',
                    static fn() => $new->connect(
                        new Context($servers->endpoints($kind, 1), $servers->directory, timeout: 2.0),
                    ),
                );
            }
        } finally {
            $servers->stop();
        }
    }

    /** @return iterable<string, array{string, Kind}> */
    public static function spread(): iterable
    {
        foreach (['memcached@3', 'memcached-tuned@3', 'memcached-binary@3', 'memcache@3'] as $id) {
            yield $id => [$id, Kind::Memcached];
        }
        foreach (['phpredis-partitioned@3', 'predis-partitioned@3'] as $id) {
            yield $id => [$id, Kind::Redis];
        }
    }

    /**
     * The keys of the others are there: it is the call as a whole that must not pass for one of which some keys are
     * missing.
     */
    #[DataProvider('spread')]
    public function testOneServerOfSeveralIsEnoughToFailACallOfManyKeys(string $id, Kind $kind): void
    {
        $definition = Catalogue::standard()->get($id);
        if ($definition->missing() !== []) {
            self::markTestSkipped('without ' . implode(', ', $definition->missing()));
        }
        $servers = new Servers();
        try {
            $subject = ($definition->make)();
            self::assertInstanceOf(ManyKeys::class, $subject);
            $subject->connect(new Context($servers->endpoints($kind, 3), $servers->directory, timeout: 2.0));
            $values = [];
            for ($number = 0; $number < 200; ++$number) {
                $values["spread:{$number}"] = "value {$number}";
                $subject->set("spread:{$number}", "value {$number}");
            }
            $keys = array_keys($values);
            self::assertNotSame([], $keys);
            $servers->stopOne($kind, 1);
            $found = $failed = 0;
            foreach ($values as $key => $value) {
                try {
                    self::assertSame($value, $subject->get($key));
                    ++$found;
                } catch (Failed|\RedisException|\Predis\PredisException) {
                    ++$failed;
                }
            }
            self::assertGreaterThan(0, $failed);
            self::assertSame(200, $found + $failed);
            for ($time = 0; $time < 3; ++$time) {
                self::assertFails("{$id}, getMany {$time}", static fn() => $subject->getMany($keys));
            }
        } finally {
            $servers->stop();
        }
    }

    private static function fill(Definition $row, Subject $subject): void
    {
        if ($subject instanceof KeyValue && $row->can(KeyValue::class)) {
            $subject->set('there', 'value');
        }
        if ($subject instanceof Counting && $row->can(Counting::class)) {
            $subject->setCounter('counter', 1);
        }
        if ($subject instanceof Objects && $row->can(Objects::class)) {
            $subject->setObject('object', [1]);
        }
    }

    /** @return array<string, Closure(): mixed> */
    private static function calls(Definition $row, Subject $subject): array
    {
        $calls = [];
        if ($subject instanceof KeyValue && $row->can(KeyValue::class)) {
            $calls = [
                'get' => static fn() => $subject->get('there'),
                'get of none' => static fn() => $subject->get('not-there'),
                'set' => static fn() => $subject->set('there', 'other'),
                'delete' => static fn() => $subject->delete('there'),
            ];
        }
        if ($subject instanceof ManyKeys && $row->can(ManyKeys::class)) {
            $calls += [
                'getMany' => static fn() => $subject->getMany(['there', 'counter']),
                'setMany' => static fn() => $subject->setMany(['there' => 'a', 'here' => 'b']),
                'deleteMany' => static fn() => $subject->deleteMany(['there', 'here']),
            ];
        }
        if ($subject instanceof Counting && $row->can(Counting::class)) {
            $calls += ['increment' => static fn() => $subject->increment('counter')];
        }
        if ($subject instanceof Objects && $row->can(Objects::class)) {
            $calls += [
                'getObject' => static fn() => $subject->getObject('object'),
                'setObject' => static fn() => $subject->setObject('object', [2]),
            ];
        }

        return $subject instanceof ConnectPerCall ? \array_slice($calls, 0, 2) : $calls;
    }

    /** @param Closure(): mixed $do */
    private static function assertFails(string $what, Closure $do): void
    {
        $begin = hrtime(true);
        try {
            $reply = @$do();
        } catch (Throwable $thrown) {
            self::assertNotInstanceOf(\Error::class, $thrown, $what . ': ' . $thrown->getMessage());
            self::assertLessThan(8e9, hrtime(true) - $begin, $what . ' took too long');

            return;
        }
        Assert::fail($what . ' gave ' . json_encode($reply));
    }
}
