<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\TestCase;

/** What a server's schema says of its tables and views. */
abstract class ServerSchemaTestCase extends TestCase
{
    protected static PDO $pdo;

    private static TemporaryDirectory $directory;

    private static ?Endpoint $endpoint = null;

    /** @var Closure(): void */
    private static Closure $stop;

    /** @return array{Endpoint, Closure(): void} the server, and how it ends */
    abstract protected static function server(string $directory): array;

    /** @param bool $isFirst whether its database may not be there yet */
    abstract protected static function dsn(bool $isFirst = false): string;

    /** @return iterable<string, array{list<string>, string, list<string>|null}> */
    abstract public static function viewsHere(): iterable;

    /** @return iterable<string, array{string, string|null}> SQL, and the key; null: it is no ordinary table */
    abstract public static function tables(): iterable;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        [self::$endpoint, self::$stop] = static::server(self::$directory->path . '/server');
        self::$pdo = self::pdo();
    }

    public static function tearDownAfterClass(): void
    {
        (self::$stop)();
        self::$directory->remove();
    }

    /**
     * @param list<string>      $schema
     * @param list<string>|null $names
     */
    #[DataProviderExternal(Views::class, 'all')]
    #[DataProvider('viewsHere')]
    public function testAViewCountsAsTheTablesThatItReads(array $schema, string $sql, ?array $names): void
    {
        foreach ([...Views::TABLES, ...$schema] as $statement) {
            self::$pdo->exec($statement);
        }
        Views::check(self::connect(), $sql, $names);
    }

    #[DataProvider('tables')]
    public function testTheKeyIsThatOfTheSchema(string $sql, ?string $key): void
    {
        self::$pdo->exec($sql);
        // The registry asks a connection that it does not keep.
        $database = self::connect();
        $tables = array_values(array_filter(
            $database->registry()->tables(),
            static fn(Table $table): bool => $table->name !== 'other',
        ));
        self::assertSame($key === null ? [] : ['item'], array_column($tables, 'name'));
        self::assertSame($key, ($tables[0] ?? null)?->key);
    }

    /** @return list<array<string, scalar|null>> */
    protected static function rows(string $sql): array
    {
        $statement = self::$pdo->prepare($sql);
        $statement->execute();
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll();

        return $rows;
    }

    protected static function connect(Registry $registry = new Registry()): RecordingPdo
    {
        $extra = self::endpoint()->extra;

        return new RecordingPdo(
            static::dsn(),
            $registry,
            user: $extra['user'] ?? '',
            password: $extra['password'] ?? '',
        );
    }

    protected static function pdo(?string $user = null): PDO
    {
        $extra = self::endpoint()->extra;

        return new PDO(
            static::dsn(true),
            $user ?? $extra['user'] ?? '',
            $user === null ? $extra['password'] ?? '' : null,
            [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC],
        );
    }

    protected static function endpoint(): Endpoint
    {
        return self::$endpoint ?? throw new LogicException('It was started before the first test.');
    }
}
