<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Follower;
use Larder\Follow\Gathered;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Row\Scrubber;
use Larder\Testbed\Server\DatabaseKind;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(Follower::class)]
#[CoversClass(Gathered::class)]
#[CoversClass(BinaryLog::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbTrapsTest extends TrapsCase
{
    protected static function kind(): DatabaseKind
    {
        return DatabaseKind::MariaDb;
    }

    public static function changes(): iterable
    {
        yield 'a key changes' => [['UPDATE news SET id = 14 WHERE id = 4']];
        yield 'a key changes, and another row takes it' => [[
            'UPDATE news SET id = 14 WHERE id = 4',
            'UPDATE news SET id = 4 WHERE id = 5',
        ]];
        yield 'REPLACE takes two rows away' => [["REPLACE INTO news VALUES (4, 'five', 8, 'New')"]];
        yield 'INSERT … ON DUPLICATE KEY UPDATE' => [[
            "INSERT INTO news VALUES (4, 'x', 1, 'x') ON DUPLICATE KEY UPDATE slug = 'new', category = 8",
        ]];
        yield 'unique keys are swapped' => [[
            'START TRANSACTION',
            "UPDATE news SET slug = 'other' WHERE id = 4",
            "UPDATE news SET slug = 'four' WHERE id = 5",
            "UPDATE news SET slug = 'five' WHERE id = 4",
            'COMMIT',
        ]];
        yield 'TRUNCATE' => [['TRUNCATE news']];
        yield 'a column is dropped' => [['ALTER TABLE news DROP COLUMN title']];
        yield 'a column is renamed' => [['ALTER TABLE news CHANGE title headline VARCHAR(200)']];
        yield 'columns change places behind an edit' => [[
            "UPDATE news SET category = 8, slug = 'new' WHERE id = 4",
            'ALTER TABLE news MODIFY category INT FIRST',
        ]];
        yield 'columns change places before an edit' => [[
            'ALTER TABLE news MODIFY category INT FIRST',
            "UPDATE news SET category = 8, slug = 'new' WHERE id = 4",
        ]];
        yield 'another table takes the name' => [[
            'CREATE TABLE prepared LIKE news',
            "INSERT INTO prepared VALUES (4, 'new', 8, 'New')",
            'RENAME TABLE news TO gone, prepared TO news',
            'DROP TABLE gone',
        ]];
        yield 'a partition is exchanged' => [[
            'CREATE TABLE part LIKE news',
            "INSERT INTO part VALUES (4, 'new', 8, 'New')",
            'ALTER TABLE news DROP INDEX slug, ADD INDEX (slug)',
            'ALTER TABLE part DROP INDEX slug, ADD INDEX (slug)',
            'ALTER TABLE news PARTITION BY RANGE (id) (PARTITION p VALUES LESS THAN (100))',
            'ALTER TABLE news EXCHANGE PARTITION p WITH TABLE part',
            'DROP TABLE part',
        ]];
        yield 'another schema is the default one' => [[
            'CREATE DATABASE IF NOT EXISTS elsewhere',
            'SET @here = DATABASE()',
            'USE elsewhere',
            "EXECUTE IMMEDIATE CONCAT('UPDATE `', @here, '`.news SET title = ''New'' WHERE id = 4')",
            "EXECUTE IMMEDIATE CONCAT('USE `', @here, '`')",
        ]];
    }

    /** The one change that no follower can see: so it is the operator's to end it. */
    public function testWhatIsNotWrittenToTheLogIsNotSeen(): void
    {
        $this->follow();
        self::assertSame('Four', self::title($this->news(), 4));
        $this->plain->exec('SET SESSION sql_log_bin = 0');
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->follow();
        self::assertSame('Four', self::title($this->news(), 4));
        self::assertSame([4], (new Scrubber($this->ledger(), $this->store, 0.1))->look('news', 100)['old']);
        $this->rows()->ends()->end(null);
        self::assertSame('New', self::title($this->news(), 4));
    }

    public function testALogThatIsContinuedAndPurgedMeanwhileEndsEverythingOnce(): void
    {
        $this->follow();
        $this->news()->find(4);
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->plain->exec('FLUSH BINARY LOGS');
        $this->plain->exec('FLUSH BINARY LOGS');
        $this->purge();
        $this->follow();
        self::assertSame('New', self::title($this->news(), 4));
        self::assertSame(2, $this->everything());
        $this->follow();
        self::assertSame(2, $this->everything());
    }

    /** All files of the log but the last one. One that is still sent to a reader who is gone is not purged. */
    private function purge(): void
    {
        $end = microtime(true) + 60.0;
        do {
            self::assertLessThan($end, microtime(true), 'the log is not purged');
            $readers = $this->plain->query(
                "SELECT id FROM information_schema.PROCESSLIST WHERE command = 'Binlog Dump'",
            );
            foreach ($readers === false ? [] : $readers->fetchAll(PDO::FETCH_COLUMN) as $reader) {
                self::assertIsInt($reader);
                try {
                    $this->plain->exec("KILL $reader");
                } catch (PDOException) {
                    // It has ended by itself.
                }
            }
            $files = $this->plain->query('SHOW BINARY LOGS');
            $files = $files === false ? [] : $files->fetchAll(PDO::FETCH_COLUMN);
            $last = end($files);
            self::assertIsString($last);
            $this->plain->exec("PURGE BINARY LOGS TO '$last'");
            usleep(10_000);
        } while (\count($files) > 1);
    }
}
