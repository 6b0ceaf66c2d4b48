<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** Which names statements announce on a server, where others write at the same time. */
abstract class ServerWritesTestCase extends TestCase
{
    protected const FOUR = ['news', 'news:4', 'news?author=bob', 'news?category=net'];

    protected const FIVE = ['news', 'news:5', 'news?author=eve', 'news?category=web'];

    protected const SIX = ['news', 'news:6', 'news?author=bob', 'news?category'];

    private static ?TemporaryDirectory $directory = null;

    private static ?Endpoint $endpoint = null;

    /** @var Closure(): void */
    private static Closure $stop;

    /** @var list<string> what was announced, sorted: `all` for every table, `gate …` for what ran behind a gate */
    protected array $announced = [];

    /** @var list<string> tables whose changes could not be followed, and why */
    protected array $causes = [];

    /** @return array{Endpoint, Closure(): void} the server, and how it ends */
    abstract protected static function server(string $directory): array;

    /** @return list<string> */
    abstract protected static function schema(): array;

    abstract protected static function dsn(Endpoint $endpoint): string;

    /** @return iterable<string, array{list<string>, list<string>, 2?: list<string>}> */
    abstract public static function writes(): iterable;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        [self::$endpoint, self::$stop] = static::server(self::$directory->path . '/server');
    }

    public static function tearDownAfterClass(): void
    {
        (self::$stop)();
        self::$directory?->remove();
    }

    protected function setUp(): void
    {
        $plain = $this->plain();
        foreach (static::schema() as $statement) {
            $plain->exec($statement);
        }
        $this->announced = $this->causes = [];
    }

    /**
     * @param list<string> $statements
     * @param list<string> $names
     * @param list<string> $schema
     */
    #[DataProvider('writes')]
    public function testNames(array $statements, array $names, array $schema = []): void
    {
        $plain = $this->plain();
        foreach ($schema as $statement) {
            $plain->exec($statement);
        }
        $database = $this->database();
        $isOne = \count($statements) === 1;
        foreach ($isOne ? $statements : ['BEGIN', ...$statements, 'COMMIT'] as $statement) {
            $database->exec($statement);
        }
        self::assertSame(self::sorted($names), self::sorted($this->announced), implode("\n", $this->causes));
        self::assertFalse($database->inTransaction());
    }

    protected function plain(): PDO
    {
        $endpoint = self::endpoint();
        $plain = new PDO(static::dsn($endpoint), $endpoint->extra['user'], $endpoint->extra['password']);
        $plain->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);

        return $plain;
    }

    /**
     * @param array<int, mixed>          $options
     * @param class-string<RecordingPdo> $class
     */
    protected function database(array $options = [], string $class = RecordingPdo::class): RecordingPdo
    {
        $endpoint = self::endpoint();
        $database = new $class(static::dsn($endpoint), self::registry(), null, $options, new NullLogger(), ...[
            'user' => $endpoint->extra['user'],
            'password' => $endpoint->extra['password'],
        ]);
        $database->announceBy(function (RecordingPdo $writer, array $names): void {
            $this->causes = [...$this->causes, ...array_values($writer->writes()->causes())];
            $this->announced = [
                ...$this->announced,
                ...array_map(strval(...), $names),
                ...($writer->writes()->isAll() ? ['all'] : []),
            ];
            $writer->writes()->clear();
        });
        $database->gateBy(function (RecordingPdo $writer, ?array $tables, Closure $run): mixed {
            $this->announced[] = 'gate ' . implode(' ', $tables ?? ['all']);

            return $run();
        });

        return $database;
    }

    protected static function registry(): Registry
    {
        return new Registry(
            new Table(
                'news',
                'id',
                ['id' => ColumnType::Integer, 'category' => ColumnType::Text, 'author' => ColumnType::TextNoCase],
                [['category'], ['author']],
            ),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
            new Table('other', 'id', ['id' => ColumnType::Integer]),
        );
    }

    protected static function endpoint(): Endpoint
    {
        return self::$endpoint ?? throw new LogicException('It was started before the first test.');
    }

    /**
     * @param list<string> $names
     *
     * @return list<string>
     */
    protected static function sorted(array $names): array
    {
        $names = array_values(array_unique($names));
        sort($names);

        return $names;
    }
}
