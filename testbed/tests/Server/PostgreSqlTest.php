<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Server\PostgreSql;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(PostgreSql::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class PostgreSqlTest extends ServerTestCase
{
    public function testWhatWasCommittedOutlivesEachEndOfTheServer(): void
    {
        $server = new PostgreSql($this->directory . '/d');
        $database = self::connect($server);
        $facts = "SELECT current_setting('fsync'), current_setting('synchronous_commit'), "
            . "current_setting('listen_addresses'), current_setting('max_connections'), datcollate, "
            . 'pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()';
        self::assertSame(['on', 'on', '', '200', 'C.UTF-8', 'UTF8'], self::row($database, $facts));
        self::assertMatchesRegularExpression('/^postgresql \d+\.\d+$/', $server->version());
        $database->exec('CREATE TABLE kept (id integer)');
        foreach ([$server->restart(...), $server->kill(...), $server->stop(...)] as $count => $end) {
            $pids = $server->endpoint()->pids;
            self::assertGreaterThan(1, \count($pids), 'it is a tree of processes');
            $open = self::connect($server);
            $open->beginTransaction();
            self::connect($server)->exec("INSERT INTO kept VALUES ($count)");
            $open->exec('INSERT INTO kept VALUES (100)');
            $end();
            self::assertEnd($pids);
            $server->start();
            self::assertSame([$count + 1], self::row(self::connect($server), 'SELECT count(*) FROM kept'));
        }
    }

    public function testASettingReplacesTheUsualOne(): void
    {
        $server = new PostgreSql($this->directory . '/d', ['fsync' => 'off', 'max_connections' => '7']);
        self::assertSame(
            ['off', '7'],
            self::row(
                self::connect($server),
                "SELECT current_setting('fsync'), current_setting('max_connections')",
            ),
        );
        self::assertStringEndsWith(', fsync=off, max_connections=7', $server->version());
    }

    /** Its processes have groups of their own, so a signal to one group would leave the others at work. */
    public function testNobodyAnswersWhileItIsPaused(): void
    {
        $server = new PostgreSql($this->directory . '/d');
        $database = self::connect($server);
        $server->pause();
        $states = array_unique(self::states($server->endpoint()->pids));
        $server->resume();
        self::assertSame(['T'], $states);
        self::assertSame([1], self::row($database, 'SELECT 1'));
    }

    private static function connect(PostgreSql $server): PDO
    {
        $extra = $server->endpoint()->extra;

        return new PDO($extra['dsn'] ?? '', $extra['user'] ?? '', $extra['password'] ?? '');
    }

    /**
     * @param list<int> $pids
     *
     * @return list<string> see proc(5), stat
     */
    private static function states(array $pids): array
    {
        return array_map(static function (int $pid): string {
            $stat = (string) @file_get_contents("/proc/$pid/stat");

            return preg_match('/\) (\w)/', $stat, $found) === 1 ? $found[1] : '';
        }, $pids);
    }

    /** @return array<array-key, mixed> */
    private static function row(PDO $database, string $sql): array
    {
        $statement = $database->query($sql);
        self::assertNotFalse($statement);
        $row = $statement->fetch(PDO::FETCH_NUM);
        self::assertIsArray($row);

        return $row;
    }
}
