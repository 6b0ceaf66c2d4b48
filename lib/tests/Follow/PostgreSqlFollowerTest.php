<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Committed;
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
            do {
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
