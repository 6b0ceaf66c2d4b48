<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Committed;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\Follower;
use Larder\Follow\Gathered;
use Larder\Follow\PostgreSql\LogicalSlot;
use Larder\Follow\PostgreSql\PostgreSqlFacts;
use Larder\Follow\Queries;
use Larder\Follow\RowChange;
use Larder\Testbed\Server\DatabaseKind;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(Gathered::class)]
#[CoversClass(LogicalSlot::class)]
#[CoversClass(PostgreSqlFacts::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class PostgreSqlFollowerTest extends FollowerCase
{
    /** Each waits for a second. */
    private const MOST_LOOKS = 60;

    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::PostgreSql;
    }

    public function testATableWithoutWholeRowsInTheLogEndsAsAWhole(): void
    {
        $this->plain->exec('ALTER TABLE news REPLICA IDENTITY DEFAULT');
        $this->follow();
        $this->news()->find(4);
        self::assertSame([4, 5], array_column($this->news()->findAll('category', 5), 'id'));
        $this->plain->exec('UPDATE news SET category = 8 WHERE id = 4');
        $this->follow();
        self::assertSame(8, $this->news()->find(4)['category'] ?? null);
        self::assertSame([5], array_column($this->news()->findAll('category', 5), 'id'));
    }

    /** The server is told of what is done only now and then, and hands it out anew until then. */
    public function testWhatWasLookedAtDoesNotComeTwice(): void
    {
        $log = new LogicalSlot(new Queries(self::$database->connect()), 'larder_looks');
        $log->begin($log->end());
        $seen = [];
        for ($id = 1; $id <= 30; ++$id) {
            $this->plain->exec("INSERT INTO news (id, title, category) VALUES (100$id, 'Seen', 5)");
            $looks = 0;
            do {
                self::assertLessThan(self::MOST_LOOKS, ++$looks, "row 100$id does not come");
                $events = $log->read(1.0);
                foreach ($events as $event) {
                    if ($event instanceof RowChange) {
                        $seen[] = (string) ($event->after['id'] ?? '');
                    } elseif ($event instanceof Committed) {
                        $log->acknowledge($event->position);
                    }
                }
            } while ($events === []);
        }
        $log->close();
        self::assertSame(array_map(static fn(int $id): string => "100$id", range(1, 30)), $seen);
        $this->plain->query("SELECT pg_drop_replication_slot('larder_looks')");
    }

    /** A new slot begins where nobody writes, and the server by itself waits for that without an end. */
    public function testATransactionThatStaysOpenIsNamedWhereItKeepsTheSlotFromBeingMade(): void
    {
        $reader = self::$database->connect();
        $reader->exec('SET statement_timeout = 60000');
        $log = new LogicalSlot(new Queries($reader), 'larder_waits', 1);
        $this->plain->beginTransaction();
        $this->plain->exec('INSERT INTO other VALUES (1)');
        try {
            $log->end();
            self::fail('It is made beside a transaction.');
        } catch (LogUnreadable $exception) {
            self::assertStringContainsString('keeps the slot "larder_waits" from being made', $exception->getMessage());
        }
        $this->plain->commit();
        self::assertSame('larder_waits', (new LogicalSlot(new Queries($reader), 'larder_waits'))->end()->file);
        $this->plain->query("SELECT pg_drop_replication_slot('larder_waits')");
    }

    public function testALostSlotEndsEverything(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->query("SELECT pg_drop_replication_slot('larder_test')");
        $this->follow();
        self::assertSame('New', $this->news()->find(4)['title'] ?? null);
        self::assertSame(2, $this->everything());
    }
}
