<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Sql;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Sql\Access;
use Larder\Bench\Workload\Sql\Connections;
use Larder\Bench\Workload\Sql\Items;
use Larder\Bench\Workload\Sql\RowQuery;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\Server\Server;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Each way to the rows, on real servers. */
#[CoversClass(Connections::class)]
#[CoversClass(Items::class)]
#[CoversClass(RowQuery::class)]
final class RowsTest extends TestCase
{
    private const STEPS = 70;

    private static TemporaryDirectory $directory;

    /** @var array<string, Server> */
    private static array $servers = [];

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('lr');
        self::$servers = [
            'memcached' => new Memcached(self::$directory->path . '/memcached', socket: true),
            'mariadb' => new MariaDb(self::$directory->path . '/mariadb'),
            'postgresql' => new PostgreSql(self::$directory->path . '/postgresql'),
        ];
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Server $server) => $server->stop(), self::$servers);
        self::$servers = [];
        self::$directory->remove();
    }

    /** @return iterable<string, array{Access, string}> */
    public static function ways(): iterable
    {
        foreach (['mariadb', 'postgresql'] as $database) {
            foreach (Access::cases() as $access) {
                $isMariaDbs = $access === Access::Handler || $access === Access::HandlerSocket;
                if ($database === 'mariadb' || !$isMariaDbs) {
                    yield "$access->value, $database" => [$access, $database];
                }
            }
        }
    }

    #[DataProvider('ways')]
    public function testReadsTheRowsAndNoOthers(Access $access, string $database): void
    {
        [$items, $job] = self::connected($access, $database);
        $calls = $access === Access::In ? ['many'] : ['one', 'many'];
        foreach ($calls as $call) {
            $query = new RowQuery($call);
            $query->fill($items, $job);
            $step = $query->step($items, $job, 0);
            for ($done = 0; $done < 5; ++$done) {
                ($step->run)();
            }
            self::assertSame(5, $step->checked === null ? null : ($step->checked)());
        }
        // What a store has is not looked for in the database, and what the database has is.
        $plain = (new Connections($job->context()))->open();
        self::turn($plain);
        try {
            $read = (new RowQuery($calls[0]))->step($items, $job, 0)->run;
            $read();
            self::assertContains($access, [Access::Value, Access::Memcached, Access::Memory]);
        } catch (WrongReply $wrong) {
            self::assertStringContainsString('not the row with the key', $wrong->getMessage());
            self::assertNotContains($access, [Access::Value, Access::Memcached, Access::Memory]);
        } finally {
            self::turn($plain);
            $items->close();
        }
    }

    /** @return iterable<string, array{Access}> */
    public static function stores(): iterable
    {
        yield 'memcached' => [Access::Memcached];
        yield 'shared memory' => [Access::Memory];
    }

    #[DataProvider('stores')]
    public function testAMissAsksTheDatabaseAlsoIfTheStoreHadTheRow(Access $access): void
    {
        [$items, $job] = self::connected($access, 'mariadb');
        (new RowQuery('one'))->fill($items, $job);
        $miss = (new RowQuery('miss'))->step($items, $job, 0)->run;
        $miss();
        $plain = (new Connections($job->context()))->open();
        self::turn($plain);
        try {
            $miss();
            self::fail('a miss was answered by the store');
        } catch (WrongReply $wrong) {
            self::assertStringContainsString('not the row', $wrong->getMessage());
        } finally {
            self::turn($plain);
        }
    }

    /** @return iterable<string, array{Access, string}> */
    public static function writers(): iterable
    {
        foreach (['mariadb', 'postgresql'] as $database) {
            foreach ([Access::Prepared, Access::Tracked, Access::Memcached, Access::Memory] as $access) {
                yield "$access->value, $database" => [$access, $database];
            }
        }
    }

    #[DataProvider('writers')]
    public function testAnUpdateChangesTheRowAndEndsWhatTheStoreHas(Access $access, string $database): void
    {
        [$items, $job] = self::connected($access, $database);
        $query = new RowQuery('update');
        $query->fill($items, $job);
        // Rows of memory that one process alone can see may not change: here, as in a window, another one was forked.
        $other = new WorkerPool(static fn(): int => sleep(60));
        $other->fill(1);
        $step = $query->step($items, $job, 0)->run;
        $stored = $items->stored();
        $before = array_map($stored, range(1, Items::COUNT));
        for ($done = 0; $done < self::STEPS; ++$done) {
            $step();
        }
        $after = array_map($stored, range(1, Items::COUNT));
        $changed = array_keys(array_filter(
            $before,
            static fn(mixed $row, int $index): bool => $row !== $after[$index],
            ARRAY_FILTER_USE_BOTH,
        ));
        self::assertCount(self::STEPS, $changed);
        $one = $items->one();
        foreach ($changed as $index) {
            self::assertSame($after[$index], $one($index + 1));
        }
        (new Connections($job->context()))->open()->exec('DELETE FROM item WHERE id > 0');
        try {
            $step();
            self::fail('no row was changed, and nobody said so');
        } catch (WrongReply $wrong) {
            self::assertStringContainsString('was not changed', $wrong->getMessage());
        } finally {
            (new Connections($job->context()))->open()->exec('DROP TABLE item');
        }
    }

    public function testWhatAWayCannotDoIsSaid(): void
    {
        foreach ([
            [Access::In, 'mariadb', 'is for many rows'],
            [Access::Handler, 'postgresql', 'is a statement of MariaDB'],
            [Access::HandlerSocket, 'postgresql', 'is a plugin of MariaDB'],
        ] as [$access, $database, $why]) {
            try {
                [$items, $job] = self::connected($access, $database);
                (new RowQuery('one'))->step($items, $job, 0);
                self::fail("$access->value reads a row of $database");
            } catch (NotApplicable $cannot) {
                self::assertStringContainsString($why, $cannot->getMessage());
            }
        }
    }

    /** Makes all values others, or what they were. */
    private static function turn(\PDO $plain): void
    {
        $plain->exec('UPDATE item SET value = REVERSE(value)');
    }

    /** @return array{Items, Job} */
    private static function connected(Access $access, string $database): array
    {
        $items = new Items($access);
        $endpoints = [self::$servers['memcached']->endpoint(), self::$servers[$database]->endpoint()];
        $prefix = bin2hex(random_bytes(4)) . ':';
        $items->connect(new Context($endpoints, self::$directory->path, prefix: $prefix));

        return [$items, new Job(
            'rows',
            "row-$access->value",
            ['database' => $database, 'workers' => 1],
            0.05,
            0,
            1,
            $endpoints,
            self::$directory->path,
            $prefix,
        )];
    }
}
