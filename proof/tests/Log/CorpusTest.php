<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\LogEvent;
use Larder\Follow\MariaDb\BinlogParser;
use Larder\Follow\MariaDb\BinlogProgram;
use Larder\Follow\Position;
use Larder\Follow\PostgreSql\TestDecoding;
use Larder\Follow\RowChange;
use Larder\Proof\Log\BinlogTrial;
use Larder\Proof\Log\Damage;
use Larder\Proof\Log\DamagedText;
use Larder\Proof\Log\DecodingTrial;
use Larder\Proof\Log\PrintedLog;
use Larder\Proof\Log\WrittenTransaction;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Sql\Choices;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/**
 * The logs of the installed servers with hostile values, in which the parsers find each row; then these logs are
 * damaged as `torture logs` damages random ones.
 */
#[CoversClass(PrintedLog::class)]
#[CoversClass(BinlogTrial::class)]
#[CoversClass(DecodingTrial::class)]
final class CorpusTest extends TestCase
{
    private const TEXTS = [
        "it's", '\\', "\n### @1=9\n# at 4\n", "' /* x */", 'NULL', "\0\1\x1f", "\u{e9}\u{1F600}", '', ' ',
        "COMMIT 5\ntable public.t: INSERT: id[integer]:9", "' new-tuple: id[integer]:7", 'unchanged-toast-datum',
        '\\x0a', "# Number of rows: 1\n", '"`[a]:', '-1 (4294967295)',
    ];

    public function testTheLogOfMariaDb(): void
    {
        $directory = new TemporaryDirectory();
        $database = Database::start(DatabaseKind::MariaDb, $directory->path . '/database', true);
        try {
            [$text, $expected] = $this->binaryLog($database, $directory->path);
        } finally {
            $database->stop();
            $directory->remove();
        }
        $log = self::captured($text);
        self::assertTrue($log->isExact);
        self::assertSame($expected, self::told($log->events()));
        $choices = new Choices(7);
        [$trial, $damaged] = [new BinlogTrial($choices), new DamagedText($choices)];
        for ($i = 0; $i < 2000; ++$i) {
            $damage = $choices->one(Damage::cases());
            $spoilt = $damaged->of($text, $damage);
            self::assertNull($trial->run($log, $spoilt, $damage), $spoilt);
        }
    }

    public function testTheLogOfPostgreSql(): void
    {
        $directory = new TemporaryDirectory();
        $database = Database::start(DatabaseKind::PostgreSql, $directory->path . '/database', true);
        try {
            [$texts, $expected] = self::decoded($database);
        } finally {
            $database->stop();
            $directory->remove();
        }
        self::assertSame($expected, self::told(array_merge(...array_map(TestDecoding::read(...), $texts))));
        $choices = new Choices(7);
        [$trial, $damaged] = [new DecodingTrial(), new DamagedText($choices)];
        for ($i = 0; $i < 10_000; ++$i) {
            $text = $choices->one($texts);
            $damage = $choices->one(Damage::cases());
            $spoilt = $damaged->of($text, $damage);
            self::assertNull($trial->run($spoilt, TestDecoding::read($text), $damage), $spoilt);
        }
    }

    /** @return array{string, list<string>} the program's text, and what is in it */
    private function binaryLog(Database $database, string $directory): array
    {
        $pdo = $database->connect();
        $pdo->exec('CREATE TABLE h (y YEAR, id INT UNSIGNED PRIMARY KEY, t TEXT, b BLOB, f DOUBLE, d DECIMAL(10,5),'
            . " bits BIT(12), e ENUM('a', 'b'), s SET('x', 'y'), at TIMESTAMP(3) NULL, g POINT, j JSON)");
        $pdo->exec('CREATE TABLE `we``ird na.me` (id INT PRIMARY KEY, t VARCHAR(200))');
        $pdo->exec('CREATE TABLE m (id INT PRIMARY KEY, t VARCHAR(200))');
        $begin = self::end($pdo);
        $told = [];
        $insert = $pdo->prepare('INSERT INTO h VALUES (2024, ?, ?, ?, 1e300, -1.5, b\'101\', 2, 3, FROM_UNIXTIME(1.5),'
            . " POINT(1, 2), '{\"a\": \"b''\"}')");
        foreach (self::TEXTS as $i => $text) {
            $insert->execute([4_294_967_295 - $i, $text, $text]);
            $told[] = 'h +' . (4_294_967_295 - $i);
        }
        $pdo->exec('UPDATE h SET id = 7, t = NULL, b = NULL, at = NULL WHERE id = 4294967295');
        $pdo->exec('REPLACE INTO h (id, t) VALUES (7, \'again\')');
        $pdo->exec('DELETE FROM h WHERE id = 7');
        array_push($told, 'h 4294967295>7', 'h 7>7', 'h -7');
        $pdo->exec("INSERT INTO `we``ird na.me` VALUES (1, 'a'), (2, 'b')");
        $pdo->exec("INSERT INTO m VALUES (1, 'a'), (2, 'b')");
        array_push($told, 'we`ird na.me +1', 'we`ird na.me +2', 'm +1', 'm +2');
        // One statement, several tables.
        $pdo->exec("UPDATE m JOIN `we``ird na.me` w ON w.id = m.id SET m.t = 'x', w.t = 'y'");
        array_push($told, 'm 1>1', 'm 2>2', 'we`ird na.me 1>1', 'we`ird na.me 2>2');
        // One statement, several events.
        $pdo->exec("INSERT INTO m SELECT seq, REPEAT('z', 200) FROM seq_10_to_59");
        array_push($told, ...array_map(static fn(int $id): string => "m +$id", range(10, 59)));
        $pdo->exec('FLUSH BINARY LOGS');
        $pdo->exec('SET SESSION binlog_row_image = MINIMAL');
        $pdo->exec("UPDATE m SET t = 'minimal' WHERE id = 10");
        $pdo->exec('DELETE FROM m WHERE id = 11');
        array_push($told, 'm 10>', 'm -11');
        $pdo->exec('SET SESSION binlog_row_image = FULL');
        $pdo->beginTransaction();
        $pdo->exec('SAVEPOINT a');
        $pdo->exec('DELETE FROM m WHERE id = 12');
        $pdo->exec('ROLLBACK TO a');
        $pdo->exec('DELETE FROM m WHERE id = 13');
        $pdo->commit();
        $pdo->exec('TRUNCATE TABLE `m`');
        array_push($told, 'm -13', 'bench.m!');
        $end = self::end($pdo);
        $program = new BinlogProgram('mariadb-binlog', $database->access($directory), $begin, false);
        $text = '';
        while (preg_match("/end_log_pos $end->offset .*\n(?s:.*?)TRUNCATE TABLE `m`\n\\/\\*!\\*\\/;\n/", $text) !== 1) {
            $text .= $program->read(1.0);
        }
        $program->stop();

        return [$text, $told];
    }

    /** The log of a real server, taken for what the parser says of it. */
    private static function captured(string $text): PrintedLog
    {
        $parser = new BinlogParser(new Position(PrintedLog::FILE, 4));
        $changes = $transactions = [];
        foreach ($parser->feed($text) as $event) {
            if ($event instanceof Committed) {
                $transactions[] = new WrittenTransaction($changes, $event);
                $changes = [];
            } else {
                $changes[] = $event;
            }
        }
        $tails = [];
        $file = PrintedLog::FILE;
        $ends = '/^#\d{6} .* end_log_pos (\d+) (?:CRC32 \S+ )?\t(?:Rotate to (\S+)  pos: 4)?[^\n]*\n'
            . '(?:[^#\n].*\n|###.*\n|# Number.*\n|\n)*+(?=# at )/m';
        preg_match_all($ends, $text, $events, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
        foreach ($events as $found) {
            $file = $found[2][0] ?? $file;
            $tails["$file:{$found[1][0]}"] = $found[0][1] + \strlen($found[0][0]);
        }

        return new PrintedLog($text, $tails, $transactions, $parser->restartAt() === null);
    }

    private static function end(PDO $pdo): Position
    {
        $statement = $pdo->query('SHOW MASTER STATUS');
        $row = $statement === false ? [] : $statement->fetch(PDO::FETCH_NUM);
        self::assertIsArray($row);
        self::assertIsString($row[0]);
        self::assertTrue(is_numeric($row[1]));

        return new Position($row[0], (int) $row[1]);
    }

    /** @return array{list<string>, list<string>} */
    private static function decoded(Database $database): array
    {
        $pdo = $database->connect();
        $pdo->exec("CREATE TYPE \"my]type\" AS ENUM ('it''s', 'b')");
        $pdo->exec('CREATE TABLE h (id BIGINT PRIMARY KEY, "t"":x" TEXT, b BYTEA, n NUMERIC, f REAL, bits BIT(5),'
            . ' a INT[], o BOOLEAN, at TIMESTAMPTZ, e "my]type", big TEXT)');
        $pdo->exec('ALTER TABLE h REPLICA IDENTITY FULL');
        $pdo->exec('ALTER TABLE h ALTER big SET STORAGE EXTERNAL');
        $pdo->exec('CREATE TABLE "we""ird. t[a]:ble" (id INT PRIMARY KEY, t TEXT)');
        $pdo->query("SELECT pg_create_logical_replication_slot('corpus', 'test_decoding')");
        $told = [];
        $insert = $pdo->prepare("INSERT INTO h VALUES (?, ?, '\\x00ff', -1.5, 'NaN', B'10101', '{1,2}', true, 'epoch',"
            . " 'it''s', NULL)");
        foreach (self::TEXTS as $i => $text) {
            $insert->execute([PHP_INT_MAX - $i, strtr($text, ["\0" => ''])]);
            $told[] = 'h +' . (PHP_INT_MAX - $i);
        }
        $pdo->exec("UPDATE h SET id = 7, n = NULL, big = repeat('v', 3000) WHERE id = 9223372036854775807");
        $pdo->exec('UPDATE h SET n = 2 WHERE id = 7');
        $pdo->exec('DELETE FROM h WHERE id = 7');
        $pdo->exec('INSERT INTO "we""ird. t[a]:ble" VALUES (1)');
        $pdo->exec('UPDATE "we""ird. t[a]:ble" SET id = 2');
        $pdo->exec('UPDATE "we""ird. t[a]:ble" SET t = \'x\'');
        $pdo->exec('TRUNCATE h, "we""ird. t[a]:ble"');
        array_push($told, 'h 9223372036854775807>7', 'h 7>7', 'h -7', 'we"ird. t[a]:ble +1');
        array_push($told, 'we"ird. t[a]:ble 1>2', 'we"ird. t[a]:ble >2');
        array_push($told, 'public.h!', 'public.we"ird. t[a]:ble!');
        $statement = $pdo->query("SELECT data FROM pg_logical_slot_peek_changes('corpus', NULL, NULL)");
        $texts = array_filter($statement === false ? [] : $statement->fetchAll(PDO::FETCH_COLUMN), is_string(...));
        $pdo->query("SELECT pg_drop_replication_slot('corpus')");
        // Their numbers are others in each run.
        $texts = array_map(static fn(string $text): string => (string) preg_replace(
            '/^(BEGIN|COMMIT) \d+$/D',
            '$1 745',
            $text,
        ), array_values($texts));

        return [$texts, $told];
    }

    /**
     * @param list<LogEvent> $events
     *
     * @return list<string>
     */
    private static function told(array $events): array
    {
        return array_values(array_map(static fn(LogEvent $event): string => match (true) {
            $event instanceof RowChange => self::row($event),
            $event instanceof BulkChange => "$event->schema.$event->table!",
            default => '',
        }, array_filter($events, static fn(LogEvent $event): bool => !$event instanceof Committed)));
    }

    private static function row(RowChange $change): string
    {
        // MariaDB's table h has its key second.
        $column = $change->schema === 'public' ? 'id' : ($change->table === 'h' ? 2 : 1);
        $key = static function (?array $image) use ($column): string {
            $value = $image[$column] ?? '';

            return preg_replace('/^-\d+ \((\d+)\)$/D', '$1', \is_string($value) ? $value : '') ?? '';
        };

        return $change->table . ' ' . match (true) {
            $change->came => '+' . $key($change->after),
            $change->after === null => '-' . $key($change->before),
            default => $key($change->before) . '>' . $key($change->after),
        };
    }
}
