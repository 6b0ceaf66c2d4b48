<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** Both connections behind a pgbouncer in transaction mode, whose clients share two sessions of the server. */
#[CoversClass(LockingProtocol::class)]
#[CoversClass(PostgreSqlDialect::class)]
#[CoversClass(SecondConnection::class)]
final class PgBouncerTest extends TestCase
{
    private TemporaryDirectory $directory;

    private PostgreSql $server;

    private PgBouncer $pool;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->server = new PostgreSql($this->directory->path . '/s', ['fsync' => 'off']);
        $this->pool = new PgBouncer($this->directory->path . '/p', $this->server);
    }

    protected function tearDown(): void
    {
        $this->pool->stop();
        $this->server->stop();
        $this->directory->remove();
    }

    public function testPagesAreStoredAndDroppedAndNothingIsLeftInTheSessionsOfOthers(): void
    {
        ['dsn' => $dsn, 'user' => $user] = $this->server->endpoint()->extra;
        $plain = new PDO($dsn, $user);
        $plain->exec('CREATE TABLE news (id INT PRIMARY KEY, title TEXT)');
        $plain->exec("INSERT INTO news VALUES (4, 'four'), (5, 'five')");
        // What another client of the pool left, or the account begins with.
        $plain->exec("ALTER ROLE larder SET default_transaction_isolation = 'repeatable read'");
        $plain->exec('ALTER ROLE larder SET synchronous_commit = off');
        $writer = $this->connect();
        $this->ledger($writer)->deploy();

        self::assertSame('Stored', $this->render(4, static fn(): null => null));
        self::assertSame('Stored', $this->render(5, static fn(): null => null));
        $this->ledger($writer);
        $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");
        self::assertSame([false, true], [$this->stores(4), $this->stores(5)]);
        $change = fn(): int|false => $writer->exec("UPDATE news SET title = title || 'y' WHERE id = 4");
        self::assertSame('Changed', $this->render(4, $change));
        self::assertSame('Stored', $this->render(4, static fn(): null => null));

        $second = $writer->tracker()->second();
        $settings = "SELECT current_setting('transaction_isolation') AS level, current_setting('lock_timeout') AS time,"
            . " current_setting('synchronous_commit') AS durable";
        $ours = ['level' => 'read committed', 'time' => '1s', 'durable' => 'on'];
        $within = $second->transaction(static fn(): array => $second->rows($settings));
        self::assertSame([[$ours], [$ours]], [$second->rows($settings), $within]);
        foreach ([1, 2, 3] as $ignored) {
            $theirs = ['level' => 'repeatable read', 'time' => '0', 'durable' => 'off'];
            $other = $this->connect();
            self::assertSame([$theirs], $other->own()->rows($settings));
        }
    }

    private function connect(): RecordingPdo
    {
        ['dsn' => $dsn, 'user' => $user] = $this->pool->endpoint()->extra;

        $options = [PDO::ATTR_EMULATE_PREPARES => true];

        return new RecordingPdo($dsn, options: $options, logger: new NullLogger(), user: $user);
    }

    private function ledger(RecordingPdo $connection): SqlLedger
    {
        $pages = new FilePageStore($this->directory->path . '/pages', 'r1');

        return (new SqlLedger($connection, $pages, 'r1', slots: 64))->follow();
    }

    /** @param callable(): mixed $afterwards runs when the snapshot is over */
    private function render(int $id, callable $afterwards): string
    {
        $connection = $this->connect();
        $ledger = $this->ledger($connection);
        $store = new FilePageStore($this->directory->path . '/pages', 'r1');
        $reads = new RecordedReads($connection->registry());
        $title = $ledger->snapshot(
            $reads,
            static fn(): mixed => $connection->query("SELECT title FROM news WHERE id = $id")->fetchColumn(),
        );
        self::assertNull($reads->refusal());
        $afterwards();
        $page = PagePath::of('/news/' . $id) ?? throw new LogicException('It is canonical.');
        $draft = $store->draft($page, new Response(200, [], \is_string($title) ? $title : ''));
        $registration = new Registration($page->key, $draft->name, 'r', 4096, $reads, null, 1 << 30, 1 << 30);

        return $ledger->publish(
            $registration,
            static fn(int $generation) => $store->stamp($draft, $generation),
            static fn(int $generation): bool => $store->publish($draft, $generation),
        )->name;
    }

    /** @phpstan-impure */
    private function stores(int $id): bool
    {
        return is_file($this->directory->path . "/pages/current/news/$id~page");
    }
}
