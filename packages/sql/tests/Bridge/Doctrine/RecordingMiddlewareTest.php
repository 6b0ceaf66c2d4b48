<?php

declare(strict_types=1);

namespace Larder\Tests\Bridge\Doctrine;

use Doctrine\DBAL\Configuration;
use Doctrine\DBAL\Connection;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Exception as DbalException;
use Doctrine\DBAL\Exception\UniqueConstraintViolationException;
use Doctrine\DBAL\ParameterType;
use Larder\Dependency\Name;
use Larder\Sql\Doctrine\RecordingDriver;
use Larder\Sql\Doctrine\RecordingMiddleware;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NotingAnnouncer;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What runs through DBAL is named as what runs through a RecordingPdo is. */
#[CoversClass(RecordingMiddleware::class)]
#[CoversClass(RecordingDriver::class)]
final class RecordingMiddlewareTest extends TestCase
{
    private TemporaryDirectory $directory;

    private Connection $dbal;

    private RecordingPdo $pdo;

    /** @var list<list<string>> what each transaction made known */
    private array $told = [];

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->dbal = $this->connect(['driver' => 'pdo_sqlite', 'path' => $this->directory->path . '/site.sqlite']);
        $this->dbal->executeStatement('PRAGMA journal_mode = WAL');
        $this->dbal->executeStatement(
            'CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT NOT NULL, title TEXT NOT NULL UNIQUE)',
        );
        $pdo = $this->dbal->getNativeConnection();
        self::assertInstanceOf(RecordingPdo::class, $pdo);
        $this->pdo = $pdo;
        SqlLedger::forValues($pdo)->deploy();
        NotingAnnouncer::at($pdo, function (array $names): void {
            if ($names !== []) {
                $this->told[] = array_map(static fn(Name $name): string => $name->name, $names);
            }
        });
    }

    public function testAQueryBuilderReadsTheRowThatItAsksFor(): void
    {
        $this->dbal->insert('news', ['id' => 4, 'category' => 'net', 'title' => 'Four']);
        $reads = new RecordedReads($this->pdo->registry());

        $title = $this->pdo->tracker()->record($reads, fn(): mixed => $this->dbal->createQueryBuilder()
            ->select('n.title')->from('news', 'n')->where('n.id = :id')
            ->setParameter('id', 4, ParameterType::INTEGER)
            ->executeQuery()->fetchOne());

        self::assertSame('Four', $title);
        self::assertSame(['news!', 'news:4'], $reads->names());
        self::assertNull($reads->refusal());
    }

    public function testWhatIsMadeAlthoughAStatementFailedIsNotStored(): void
    {
        $this->dbal->insert('news', ['id' => 4, 'category' => 'net', 'title' => 'Four']);
        $this->dbal->insert('news', ['id' => 5, 'category' => 'net', 'title' => 'Five']);
        $overflow = '-9223372036854775807 - 1';
        foreach ([
            fn(): mixed => $this->dbal->fetchAllAssociative("SELECT title FROM news WHERE abs($overflow) > 0"),
            fn(): mixed => $this->dbal->fetchOne('SELECT nothing FROM news'),
            fn(): mixed => $this->dbal->prepare('SELECT nothing FROM news'),
            fn(): mixed => iterator_to_array($this->dbal->iterateAssociative(
                "SELECT title, abs(CASE id WHEN 5 THEN $overflow ELSE 1 END) FROM news ORDER BY id",
            )),
            fn(): mixed => $this->dbal->fetchAllAssociative(
                "SELECT title, abs(CASE id WHEN 5 THEN $overflow ELSE 1 END) FROM news ORDER BY id",
            ),
        ] as $number => $read) {
            $reads = new RecordedReads($this->pdo->registry());
            $this->pdo->tracker()->record($reads, static function () use ($read): void {
                try {
                    $read();
                } catch (DbalException) {
                    return;
                }
            });
            self::assertSame('a statement failed (SQLSTATE HY000)', $reads->refusal(), "the read $number");
        }
    }

    public function testWhatIsWrittenIsNamed(): void
    {
        $this->dbal->insert('news', ['id' => 4, 'category' => 'net', 'title' => 'Four']);
        $this->dbal->update('news', ['title' => 'Vier'], ['id' => 4]);

        self::assertSame([['news:4', 'news'], ['news:4', 'news']], $this->told);
    }

    public function testNestedTransactionsAreOneThatTellsAll(): void
    {
        $this->dbal->transactional(function (Connection $dbal): void {
            $dbal->insert('news', ['id' => 1, 'category' => 'net', 'title' => 'One']);
            $dbal->transactional(static fn() => $dbal->insert('news', [
                'id' => 2, 'category' => 'net', 'title' => 'Two',
            ]));
        });

        self::assertSame([['news:1', 'news', 'news:2']], $this->told);
    }

    public function testExceptionsAreThoseOfDbal(): void
    {
        $this->dbal->insert('news', ['id' => 1, 'category' => 'net', 'title' => 'One']);

        $this->expectException(UniqueConstraintViolationException::class);
        $this->dbal->insert('news', ['id' => 2, 'category' => 'net', 'title' => 'One']);
    }

    public function testEachNewConnectionIsSeenBeforeItIsUsed(): void
    {
        /** @var list<RecordingPdo> $seen */
        $seen = [];
        $dbal = $this->connect(
            ['driver' => 'pdo_sqlite', 'memory' => true],
            new RecordingMiddleware(static function (RecordingPdo $pdo) use (&$seen): void {
                $seen[] = $pdo;
            }),
        );
        $isEarly = \count($seen) > 0;

        self::assertSame([false, [$dbal->getNativeConnection()]], [$isEarly, $seen]);
    }

    public function testAnotherDriverIsNamed(): void
    {
        $this->expectExceptionObject(InvalidConnection::driver('sqlite3', ['pdo_sqlite', 'pdo_mysql', 'pdo_pgsql']));
        $this->connect(['driver' => 'sqlite3', 'memory' => true])->getNativeConnection();
    }

    /** @param array{driver: 'pdo_sqlite'|'sqlite3', path?: string, memory?: bool} $parameters */
    private function connect(array $parameters, RecordingMiddleware $middleware = new RecordingMiddleware()): Connection
    {
        return DriverManager::getConnection($parameters, (new Configuration())->setMiddlewares([$middleware]));
    }
}
