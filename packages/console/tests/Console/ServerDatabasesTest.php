<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Closure;
use Larder\Console\Application;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\LedgerChecks;
use Larder\Console\Doctor\SchemaChecks;
use Larder\Console\Examination;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

/** What `larder doctor`, `explain` and `stats` say of a site whose tables are on MariaDB or PostgreSQL. */
#[CoversClass(Examination::class)]
#[CoversClass(LedgerChecks::class)]
#[CoversClass(SchemaChecks::class)]
final class ServerDatabasesTest extends TestCase
{
    private const DATABASES = [DatabaseKind::MariaDb, DatabaseKind::PostgreSql];

    private static ?TemporaryDirectory $scratch = null;

    /** @var array<string, Database> by the value of their kind */
    private static array $servers = [];

    private TemporaryDirectory $directory;

    public static function setUpBeforeClass(): void
    {
        self::$scratch = new TemporaryDirectory();
        foreach (self::DATABASES as $kind) {
            self::$servers[$kind->value] = Database::start($kind, self::$scratch->path . '/' . $kind->value);
        }
    }

    public static function tearDownAfterClass(): void
    {
        foreach (self::$servers as $server) {
            $server->stop();
        }
        self::$servers = [];
        self::$scratch?->remove();
        self::$scratch = null;
    }

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** @return iterable<string, array{DatabaseKind}> */
    public static function databases(): iterable
    {
        foreach (self::DATABASES as $kind) {
            yield $kind->value => [$kind];
        }
    }

    #[DataProvider('databases')]
    public function testASoundSiteHasNoIll(DatabaseKind $kind): void
    {
        $checks = (new Examination($this->site($kind)))->checks();

        self::assertSame([], self::not('ok', $checks));
        $names = array_column($checks, 'name');
        self::assertContains('what the database commits outlives the pages', $names);
        self::assertContains('the account of the database may write the ledger', $names);
    }

    /** @return iterable<string, array{DatabaseKind, string, string, string, Closure(Database): mixed}> */
    public static function ills(): iterable
    {
        $maria = DatabaseKind::MariaDb;
        $postgre = DatabaseKind::PostgreSql;
        foreach (self::DATABASES as $kind) {
            yield "$kind->value: no ledger" => [
                $kind, 'failed', 'the ledger answers', 'Run larder deploy',
                static fn(Database $database) => $database->connect()->exec('DROP TABLE larder_ledger'),
            ];
            yield "$kind->value: an account that only reads" => [
                $kind, 'failed', 'the account of the database may write the ledger', 'GRANT SELECT, INSERT, UPDATE',
                static function (Database $database): array {
                    $connection = $database->connect();
                    $isMaria = $database->kind === DatabaseKind::MariaDb;
                    foreach ($isMaria ? [
                        "CREATE USER IF NOT EXISTS reader@'%' IDENTIFIED BY 'r'",
                        "GRANT SELECT, DELETE, TRIGGER ON *.* TO reader@'%'",
                    ] : [
                        'GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader',
                        'GRANT USAGE ON SEQUENCE larder_page_id_seq TO reader',
                    ] as $statement) {
                        $connection->exec($statement);
                    }

                    return ['reader', 'r'];
                },
            ];
            yield "$kind->value: no such account" => [
                $kind, 'failed', 'the database opens', $kind === $maria ? 'Access denied' : 'does not exist',
                static fn(): array => ['nobody', 'wrong'],
            ];
        }
        yield 'mariadb: what is committed may be lost' => [
            $maria, 'failed', 'what the database commits outlives the pages',
            'innodb_flush_log_at_trx_commit must be 1',
            static fn(Database $database) => $database->connect()
                ->exec('SET GLOBAL innodb_flush_log_at_trx_commit = 0'),
        ];
        yield 'mariadb: an account with rights on single tables' => [
            $maria, 'remark', 'the account of the database sees all foreign keys', 'each change counts as a change of',
            static function (Database $database): array {
                $connection = $database->connect();
                $connection->exec("CREATE USER member@'%' IDENTIFIED BY 'm'");
                $connection->exec("GRANT TRIGGER ON bench.* TO member@'%'");
                $tables = $connection->query('SHOW TABLES');
                \assert($tables !== false);
                /** @var string $table */
                foreach ($tables->fetchAll(PDO::FETCH_COLUMN) as $table) {
                    $connection->exec("GRANT SELECT, INSERT, UPDATE, DELETE ON bench.$table TO member@'%'");
                }

                return ['member', 'm'];
            },
        ];
        yield 'mariadb: a table without transactions' => [
            $maria, 'remark', 'comment has transactions', 'comment is a MyISAM table: nothing that is read from it is',
            static fn(Database $database) => $database->connect()->exec('ALTER TABLE comment ENGINE = MyISAM'),
        ];
        yield 'postgresql: a crash of the machine may lose what is committed' => [
            $postgre, 'remark', 'what the database committed outlives a crash of its machine', 'fsync = on',
            static function (Database $database): void {
                $connection = $database->connect();
                $connection->exec('ALTER SYSTEM SET fsync = off');
                $connection->exec('SELECT pg_reload_conf()');
                self::await($database, 'SHOW fsync', 'off');
            },
        ];
    }

    /** @param Closure(Database): mixed $break returns another account, if need be */
    #[DataProvider('ills')]
    public function testAnIllIsNamedAndNothingElse(
        DatabaseKind $kind,
        string $state,
        string $name,
        string $remedy,
        Closure $break,
    ): void {
        $site = $this->site($kind);
        $account = $break(self::$servers[$kind->value]);
        if (\is_array($account)) {
            /** @var array{string, string} $account */
            $site = $this->describe(self::$servers[$kind->value]->dsn, ...$account);
        }
        $found = self::not('ok', (new Examination($site))->checks());

        self::assertSame([$name], array_column($found, 'name'));
        self::assertSame($state, $found[0]->state);
        self::assertStringContainsString($remedy, (string) $found[0]->remedy);
    }

    #[DataProvider('databases')]
    public function testAPageIsExplainedAndCounted(DatabaseKind $kind): void
    {
        $site = $this->site($kind);
        $server = self::$servers[$kind->value];
        file_put_contents($this->directory->path . '/larder.php', \sprintf(
            '<?php return %s::at(%s, %s, %s, %s);',
            self::class,
            var_export($this->directory->path, true),
            var_export($server->dsn, true),
            var_export($server->user, true),
            var_export($server->password, true),
        ));
        $page = fn(): string => $this->answer($site)->header('cache-status') ?? '';
        self::assertSame('larder; fwd=miss; stored', $page());
        [$code, $explained] = $this->command('explain', ['what' => '/news/4']);
        self::assertSame([0, true], [$code, $explained['stored']]);
        self::assertIsArray($explained['pages']);
        self::assertSame([['news!', 'news:4']], array_column($explained['pages'], 'made_from'));

        [$code, $explained] = $this->command('explain', ['what' => 'news:4']);
        self::assertSame([0, ['/news/4']], [$code, $explained['pages']]);

        [$code, $stats] = $this->command('stats');
        self::assertSame([0, 1, 2], [$code, $stats['pages'], $stats['edges']]);
    }

    /** The site, for its site file. */
    public static function at(string $path, string $dsn, ?string $user, ?string $password): Site
    {
        return Installation::site(
            $path,
            connect: static fn(): RecordingPdo => new RecordingPdo($dsn, user: $user, password: $password),
        );
    }

    private function describe(string $dsn, ?string $user, ?string $password): Site
    {
        return self::at($this->directory->path, $dsn, $user, $password);
    }

    /** A sound one, deployed, on new tables. */
    private function site(DatabaseKind $kind): Site
    {
        $server = self::$servers[$kind->value];
        $connection = $server->connect();
        if ($kind === DatabaseKind::MariaDb) {
            $connection->exec('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
            $connection->exec('DROP DATABASE bench');
            $connection->exec('CREATE DATABASE bench');
            $connection->exec('USE bench');
        } else {
            $connection->exec('ALTER SYSTEM RESET fsync');
            $connection->exec('SELECT pg_reload_conf()');
            self::await($server, 'SHOW fsync', 'on');
            $connection->exec('DROP SCHEMA public CASCADE');
            $connection->exec('CREATE SCHEMA public');
            $connection->exec('DROP ROLE IF EXISTS reader');
            $connection->exec("CREATE ROLE reader LOGIN PASSWORD 'r'");
            $connection->exec('GRANT USAGE ON SCHEMA public TO reader');
        }
        $connection->exec('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(50))');
        $connection->exec('CREATE TABLE comment (id INT PRIMARY KEY, news_id INT NOT NULL)');
        $connection->exec("INSERT INTO news VALUES (4, 'four')");
        mkdir($this->directory->path . '/run/pages', recursive: true);
        $site = $this->describe($server->dsn, $server->user, $server->password);
        Pages::of($site)->deploy('r1');
        // So that there is a mark of this ledger.
        $this->answer($site, '/news/5');
        Pages::of($site)->ledger()->flush();
        if (posix_geteuid() === 0) {
            exec('chown -R www-data ' . escapeshellarg($this->directory->path . '/run/pages'));
        }

        return $site;
    }

    private function answer(Site $site, string $uri = '/news/4'): Response
    {
        $database = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $database);

        return Pages::of($site)->pageCache($database)->answer(
            new PageRequest('GET', $uri, false),
            NewsController::class,
            static fn(): Response => NewsSite::html(
                'item ' . json_encode($database->select('SELECT title FROM news WHERE id = 4')),
            ),
        );
    }

    private static function await(Database $server, string $query, string $answer): void
    {
        $connection = $server->connect();
        for ($tries = 0; $tries < 500; ++$tries) {
            $statement = $connection->query($query);
            if ($statement !== false && $statement->fetchColumn() === $answer) {
                return;
            }
            usleep(10_000);
        }
        self::fail("$query does not become $answer.");
    }

    /**
     * @param list<Check> $checks
     *
     * @return list<Check>
     */
    private static function not(string $state, array $checks): array
    {
        return array_values(array_filter($checks, static fn(Check $check): bool => $check->state !== $state));
    }

    /**
     * @param array<string, mixed> $input
     *
     * @return array{int, array<array-key, mixed>}
     */
    private function command(string $command, array $input = []): array
    {
        $tester = new CommandTester(Application::create()->find($command));
        $code = $tester->execute(
            $input + ['--site' => $this->directory->path . '/larder.php', '--format' => 'json'],
        );
        $values = json_decode($tester->getDisplay(), true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($values);

        return [$code, $values];
    }
}
