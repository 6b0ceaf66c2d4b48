<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Closure;
use Larder\Console\Doctor\BinaryLogChecks;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\FollowChecks;
use Larder\Console\Doctor\LogicalSlotChecks;
use Larder\Follow\Followed;
use Larder\Follow\Position;
use Larder\Follow\State;
use Larder\Page\FollowedPages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What `larder doctor --follow` says of real servers, as they should be and otherwise. */
#[CoversClass(FollowChecks::class)]
#[CoversClass(BinaryLogChecks::class)]
#[CoversClass(LogicalSlotChecks::class)]
final class FollowChecksTest extends TestCase
{
    private static ?TemporaryDirectory $scratch = null;

    /** @var array<string, Database> */
    private static array $servers = [];

    private string $state;

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Database $server) => $server->stop(), self::$servers);
        self::$servers = [];
        self::$scratch?->remove();
        self::$scratch = null;
    }

    protected function setUp(): void
    {
        self::$scratch ??= new TemporaryDirectory();
        $this->state = self::$scratch->path . '/state-' . bin2hex(random_bytes(4));
        mkdir($this->state);
    }

    public function testAServerOfMariaDbAsItShouldBe(): void
    {
        $server = self::server(DatabaseKind::MariaDb);
        $lock = (new State($this->state))->lock();
        (new State($this->state))->tell(['at' => microtime(true), 'lag' => 0.001, 'failure' => null]);
        $checks = $this->checks($server);
        self::assertSame([], self::states($checks, 'failed', 'remark'));
        self::assertArrayHasKey('the account of the log may read it', $checks);
        self::assertArrayHasKey('the follower sees its own signs in the log', $checks);
        self::assertStringContainsString('sql_log_bin', (string) $checks['the server writes a binary log']->remedy);
        $columns = (string) $checks['the columns of a row are known']->remedy;
        self::assertStringContainsString('EXCHANGE PARTITION', $columns);
        self::assertStringContainsString('binlog_row_metadata is NO_LOG', $columns);
        self::assertNotNull($lock);
    }

    public function testSettingsOfMariaDbThatAreWrong(): void
    {
        $server = self::server(DatabaseKind::MariaDb);
        $root = $server->connect();
        $root->exec("SET GLOBAL binlog_format = 'MIXED', GLOBAL binlog_row_image = 'MINIMAL'");
        try {
            $checks = $this->checks($server);
        } finally {
            $root->exec("SET GLOBAL binlog_format = 'ROW', GLOBAL binlog_row_image = 'FULL'");
        }
        self::assertSame(['changes are in the log row by row', 'a follower runs'], self::states($checks, 'failed'));
        self::assertSame(['the log has whole rows'], self::states($checks, 'remark'));
    }

    public function testAccountsOfMariaDbWithoutTheRights(): void
    {
        $server = self::server(DatabaseKind::MariaDb);
        $this->ledger($server)->deploy();
        $root = $server->connect();
        $root->exec("CREATE OR REPLACE USER poor@'%' IDENTIFIED BY 'poor'");
        $root->exec("GRANT ALL ON bench.* TO poor@'%'");
        $poor = fn(): SqlLedger => SqlLedger::forValues(new RecordingPdo($server->dsn, user: 'poor', password: 'poor'));
        $checks = $this->checks($server, $poor);
        $ends = 'the account of the ledger may ask where the log ends';
        self::assertSame('failed', $checks[$ends]->state);
        self::assertStringContainsString('BINLOG MONITOR', (string) $checks[$ends]->remedy);
        file_put_contents($this->state . '/poor.cnf', \sprintf(
            "[client]\nsocket=%s\nuser=poor\npassword=poor\n",
            $server->part('unix_socket'),
        ));
        $log = ['--defaults-file=' . $this->state . '/poor.cnf'];
        $checks = $this->checks($server, null, $log);
        $reads = 'the account of the log may read it';
        self::assertSame('failed', $checks[$reads]->state);
        self::assertStringContainsString('REPLICATION SLAVE', (string) $checks[$reads]->remedy);
        $root->exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO poor@'%'");
        $checks = $this->checks($server, $poor, $log);
        self::assertSame(['ok', 'ok'], [$checks[$ends]->state, $checks[$reads]->state]);
    }

    public function testAServerOfMariaDbWithoutALog(): void
    {
        self::$scratch ??= new TemporaryDirectory();
        $server = Database::start(DatabaseKind::MariaDb, self::$scratch->path . '/unlogged');
        try {
            self::assertSame(
                ['the server writes a binary log', 'a follower runs'],
                self::states($this->checks($server), 'failed'),
            );
        } finally {
            $server->stop();
        }
    }

    public function testAServerOfPostgreSql(): void
    {
        $server = self::server(DatabaseKind::PostgreSql);
        $root = $server->connect();
        $root->exec('DROP TABLE IF EXISTS partial, whole');
        $root->exec('CREATE TABLE partial (id INT PRIMARY KEY)');
        $root->exec('CREATE TABLE whole (id INT PRIMARY KEY)');
        $root->exec('ALTER TABLE whole REPLICA IDENTITY FULL');
        $has = "the follower's slot has what it needs";
        $checks = $this->checks($server);
        self::assertSame(['a follower runs'], self::states($checks, 'failed'));
        self::assertSame([$has, 'the log has whole rows'], self::states($checks, 'remark'));
        self::assertStringContainsString('not of partial,', (string) $checks['the log has whole rows']->remedy);
        $root->query("SELECT pg_create_logical_replication_slot('larder_test', 'test_decoding')");
        try {
            $checks = $this->checks($server);
            self::assertSame('ok', $checks[$has]->state);
            $disk = $checks['the slot does not fill the disk'];
            self::assertSame('remark', $disk->state);
            self::assertStringContainsString('max_slot_wal_keep_size', (string) $disk->remedy);
            $this->lose($server);
            $checks = $this->checks($server);
            self::assertSame('failed', $checks[$has]->state);
            self::assertStringContainsString('is gone', (string) $checks[$has]->remedy);
        } finally {
            $root->query("SELECT pg_drop_replication_slot('larder_test')");
        }
        $root->exec('DROP TABLE partial');
        self::assertSame('ok', $this->checks($server)['the log has whole rows']->state);
    }

    public function testAnAccountOfPostgreSqlWithoutTheRight(): void
    {
        $server = self::server(DatabaseKind::PostgreSql);
        $this->ledger($server)->deploy();
        $root = $server->connect();
        $root->exec("DROP ROLE IF EXISTS poor; CREATE ROLE poor LOGIN PASSWORD 'poor'; GRANT pg_read_all_data, "
            . 'pg_write_all_data TO poor');
        $poor = fn(): SqlLedger => SqlLedger::forValues(new RecordingPdo($server->dsn, user: 'poor', password: 'poor'));
        $may = 'the account of the ledger may read the log';
        self::assertSame('failed', $this->checks($server, $poor)[$may]->state);
        $root->exec('ALTER ROLE poor REPLICATION');
        self::assertSame('ok', $this->checks($server, $poor)[$may]->state);
    }

    public function testAServerOfPostgreSqlWhoseLogHasNoRows(): void
    {
        self::$scratch ??= new TemporaryDirectory();
        $server = Database::start(DatabaseKind::PostgreSql, self::$scratch->path . '/replica');
        try {
            self::assertSame(
                ['the log can be decoded', 'a follower runs'],
                self::states($this->checks($server), 'failed'),
            );
        } finally {
            $server->stop();
        }
    }

    public function testAFollowerThatIsBehindOrFails(): void
    {
        $server = self::server(DatabaseKind::MariaDb);
        $state = new State($this->state);
        $lock = $state->lock();
        $sees = 'the follower sees its own signs in the log';
        self::assertSame('remark', $this->checks($server)[$sees]->state);
        $state->tell(['at' => microtime(true) - 3600.0, 'lag' => 0.001, 'failure' => null]);
        $checks = $this->checks($server);
        self::assertSame('failed', $checks[$sees]->state);
        self::assertStringContainsString('maxLag is 2.0 s', (string) $checks[$sees]->remedy);
        $state->tell(['at' => microtime(true), 'lag' => null, 'failure' => 'no disk']);
        self::assertSame('no disk', $this->checks($server)[$sees]->remedy);
        self::assertNotNull($lock);
        $state->acknowledge(new Position('log.000001', 4), null);
    }

    public function testPagesThatOnlyAFollowerLetsBeServed(): void
    {
        $server = self::server(DatabaseKind::MariaDb);
        $pages = $this->state . '/pages';
        mkdir($pages);
        $served = "the pages in $pages are served";
        $check = $this->checks($server, pages: [$pages])[$served];
        self::assertSame('failed', $check->state);
        self::assertStringContainsString("may write to $pages/followed", (string) $check->remedy);
        (new FollowedPages($pages))->serveUntil(time() + 600);
        self::assertSame('ok', $this->checks($server, pages: [$pages])[$served]->state);
    }

    public function testSqliteIsNotFollowed(): void
    {
        $checks = $this->checks(Database::file($this->state . '/site.sqlite'));
        self::assertCount(1, $checks);
        self::assertStringContainsString('SQLite is not followed', (string) current($checks)->remedy);
    }

    /** Makes the server forget the log that the slot needs. */
    private function lose(Database $server): void
    {
        $root = $server->connect();
        $root->exec("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
        $root->query('SELECT pg_reload_conf()');
        try {
            for ($i = 0; $i < 40; ++$i) {
                $root->query('SELECT pg_switch_wal()');
                $root->exec('CREATE TABLE gone (id INT); DROP TABLE gone');
                $root->exec('CHECKPOINT');
                $status = $root->query("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'larder_test'");
                if ($status !== false && $status->fetchColumn() === 'lost') {
                    return;
                }
            }
            self::fail('the slot is not lost');
        } finally {
            $root->exec('ALTER SYSTEM RESET max_slot_wal_keep_size');
            $root->query('SELECT pg_reload_conf()');
        }
    }

    private static function server(DatabaseKind $kind): Database
    {
        self::$scratch ??= new TemporaryDirectory();

        return self::$servers[$kind->value]
            ??= Database::start($kind, self::$scratch->path . '/' . $kind->value, true);
    }

    private function ledger(Database $server): SqlLedger
    {
        return SqlLedger::forValues(
            new RecordingPdo($server->dsn, user: $server->user, password: $server->password),
        );
    }

    /**
     * @param (Closure(): SqlLedger)|null $ledger
     * @param list<string>|null           $log
     * @param list<string>                $pages
     *
     * @return array<string, Check> by their names
     */
    private function checks(Database $server, ?Closure $ledger = null, ?array $log = null, array $pages = []): array
    {
        if ($ledger === null) {
            $this->ledger($server)->deploy();
        }
        $followed = new Followed(
            $ledger ?? fn(): SqlLedger => $this->ledger($server),
            $this->state,
            name: 'test',
            log: $log ?? $server->access($this->state),
            pages: $pages,
        );

        return array_column((new FollowChecks($followed))->checks(), null, 'name');
    }

    /**
     * @param array<string, Check> $checks
     *
     * @return list<string> the names of those that are so
     */
    private static function states(array $checks, string ...$states): array
    {
        return array_keys(array_filter(
            $checks,
            static fn(Check $check): bool => \in_array($check->state, $states, true)
                && $check->name !== 'the slot does not fill the disk',
        ));
    }
}
