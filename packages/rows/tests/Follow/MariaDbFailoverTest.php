<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Follower;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** The server dies, and its replica takes its place: places of the log are other ones there, and GTIDs are not. */
#[CoversClass(Follower::class)]
#[CoversClass(BinaryLog::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbFailoverTest extends FollowedDatabaseCase
{
    /** Seconds that the replica may take. */
    private const PATIENCE = 60;

    private static int $pairs = 0;

    private Database $replica;

    private PDO $there;

    /** By which the application finds the one or the other. */
    private string $socket;

    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
    }

    public static function tearDownAfterClass(): void
    {
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        $path = self::$directory->path . '/' . ++self::$pairs;
        self::$database = Database::start(self::kind(), $path . '-first', true, isReachable: true);
        $this->replica = Database::start(self::kind(), $path . '-second', true, number: 2);
        $this->there = $this->replica->connect();
        foreach ([self::$database->connect(), $this->there] as $server) {
            $server->exec("CREATE USER site@'%' IDENTIFIED BY 'site'");
            $server->exec("GRANT ALL ON *.* TO site@'%'");
            // Accounts are made on each, and not replicated.
            $server->exec('RESET MASTER');
        }
        $this->socket = $path . '.sock';
        symlink(self::$database->part('unix_socket'), $this->socket);
        $this->there->exec(\sprintf(
            "CHANGE MASTER TO master_host = '127.0.0.1', master_port = %d, master_user = '%s', master_password = '%s',"
                . ' master_use_gtid = slave_pos',
            (int) self::$database->port(),
            (string) self::$database->user,
            (string) self::$database->password,
        ));
        $this->there->exec('START SLAVE');
        parent::setUp();
    }

    protected function tearDown(): void
    {
        self::$database->stop();
        $this->replica->stop();
        parent::tearDown();
    }

    public function testAReplicaThatHasAllGoesOnWhereTheFollowerWas(): void
    {
        $this->follow();
        self::assertSame('Four', self::title($this->news(), 4));
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->awaitReplica();
        $this->failOver();
        self::assertSame('Four', self::title($this->news(), 4), 'Nobody has told the store.');
        $this->follow();
        self::assertSame('New', self::title($this->news(), 4));
        self::assertSame(1, $this->everything(), 'It began once, and has ended nothing but that row since.');
        $this->there->exec("UPDATE news SET title = 'Newer' WHERE id = 4");
        $this->follow();
        self::assertSame('Newer', self::title($this->news(), 4));
        self::assertSame(1, $this->everything());
    }

    public function testAReplicaThatLacksWhatTheFollowerHasSeenEndsEverythingOnce(): void
    {
        $this->follow();
        $this->awaitReplica();
        $this->there->exec('STOP SLAVE');
        $this->plain->exec("UPDATE news SET title = 'Lost' WHERE id = 4");
        $this->follow();
        self::assertSame('Lost', self::title($this->news(), 4));
        $this->failOver();
        $this->there->exec("UPDATE news SET title = 'Other' WHERE id = 5");
        $this->follow();
        self::assertSame(['Four', 'Other'], [self::title($this->news(), 4), self::title($this->news(), 5)]);
        self::assertSame(2, $this->everything());
        $this->follow();
        self::assertSame(2, $this->everything());
    }

    private function awaitReplica(): void
    {
        $at = $this->plain->query('SELECT @@GLOBAL.gtid_binlog_pos');
        $wait = $this->there->prepare('SELECT MASTER_GTID_WAIT(?, ?)');
        $wait->execute([$at === false ? '' : $at->fetchColumn(), self::PATIENCE]);
        self::assertSame(0, $wait->fetchColumn(), 'The replica has it.');
    }

    private function failOver(): void
    {
        self::$database->stop();
        $this->there->exec('STOP SLAVE');
        $this->there->exec('RESET SLAVE ALL');
        self::$database = $this->replica;
        unlink($this->socket);
        symlink(self::$database->part('unix_socket'), $this->socket);
    }

    protected function open(): RecordingPdo
    {
        return new RecordingPdo("mysql:unix_socket=$this->socket;dbname=bench", user: 'site', password: 'site');
    }
}
