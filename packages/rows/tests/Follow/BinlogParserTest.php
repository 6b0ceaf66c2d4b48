<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\LogEvent;
use Larder\Follow\MariaDb\BinlogParser;
use Larder\Follow\Position;
use Larder\Follow\RowChange;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(BinlogParser::class)]
final class BinlogParserTest extends TestCase
{
    public function testReadsRowsAsTheProgramOfMariaDbPrintsThem(): void
    {
        [$events, $parser] = self::parsed(self::printed());
        self::assertNull($parser->restartAt());
        $commits = array_values(array_filter($events, static fn($event): bool => $event instanceof Committed));
        self::assertSame('0-1-7', $commits[\count($commits) - 1]->position->gtids);
        $rows = array_values(array_filter($events, static fn($event): bool => $event instanceof RowChange));
        self::assertCount(3, $rows);
        [$insert, $update, $delete] = $rows;
        self::assertSame(['bench', 'h'], [$insert->schema, $insert->table]);
        self::assertNull($insert->before);
        self::assertNull($delete->after);
        self::assertSame($insert->after, $update->before);
        $row = (array) $insert->after;
        self::assertSame('2024', $row[1]);
        self::assertSame('-294967296 (4000000000)', $row[2]);
        self::assertSame('-1 (18446744073709551615)', $row[6]);
        // A line break prints as the four characters \x0a do.
        self::assertFalse($row[8]);
        self::assertFalse($row[9]);
        self::assertSame("b'101010101010'", $row[10]);
        self::assertSame('-123.45000', $row[13]);
        self::assertSame('{"a":"b\'"}', $row[14]);
        self::assertSame('0000-00-00 00:00:00', $row[15]);
        self::assertSame("\xe9", $row[22]);
        self::assertNull(((array) $update->after)[9]);
        // A text and no value at all.
        self::assertSame('NULL', $update->after[8] ?? null);
        self::assertNull(((array) $update->after)[3]);
    }

    /** So MariaDB prints them from 11.7 on. */
    public function testEventsOfATransactionNeedNotSayWhereTheyEnd(): void
    {
        $printed = self::printed();
        $new = (string) preg_replace('/end_log_pos \d+ (.*\t(?:Table_map|\w+_rows):)/', 'end_log_pos 0 $1', $printed);
        self::assertNotSame($printed, $new);
        self::assertEquals(self::parsed($printed)[0], self::parsed($new)[0]);

        $this->expectException(LogUnreadable::class);
        $this->expectExceptionMessage('in a transaction whose events do not say where they end');
        self::parsed(str_replace('# Number of rows: 1', '# Number of rows: 2', $new));
    }

    /** Else the program would be begun again and again at the same place. */
    public function testReadsOnBehindABeginningThatItDoesNotKnow(): void
    {
        $parser = new BinlogParser(new Position('log.000001', 4));
        $parser->feed("# at 4\n#700101  0:00:00 server id 1  end_log_pos 0 \tRotate to log.000001  pos: 4\n"
            . self::header(142, 'A kind that a later version begins with'));
        self::assertSame(142, $parser->restartAt());
        $parser->restarted();
        $events = $parser->feed(self::header(0, 'Table_map: `app`.`t` mapped to number 1')
            . self::header(0, 'Write_rows: table id 1 flags: STMT_END_F')
            . "### INSERT INTO `app`.`t`\n### SET\n###   @1=7\n# Number of rows: 1\n" . self::commit(300));
        self::assertNull($parser->restartAt());
        self::assertEquals(new RowChange('app', 't', null, [1 => '7'], true), $events[0]);
        self::assertInstanceOf(Committed::class, $events[1]);
    }

    public function testTakesTheOutputInAnyPieces(): void
    {
        $printed = self::printed();
        [$whole] = self::parsed($printed);
        foreach ([1, 7, 100, 4096] as $length) {
            $parser = new BinlogParser(new Position('log.000001', 4));
            $events = [];
            foreach (str_split($printed, $length) as $piece) {
                array_push($events, ...$parser->feed($piece));
            }
            self::assertEquals($whole, $events);
        }
    }

    /** A statement is printed as it was sent, and may look like what comes behind it. */
    public function testReadsNothingBehindAStatementThatItDoesNotKnow(): void
    {
        $forged = "ALTER TABLE t COMMENT 'x'\n/*!*/;\n" . self::commit(900) . self::header(999, 'GTID 0-1-99 trans');
        [$events, $parser] = self::parsed(self::statement(500, $forged) . self::commit(600));
        self::assertEquals([
            BulkChange::ofAll("a statement: ALTER TABLE t COMMENT 'x'"),
            new Committed(new Position('log.000001', 500, '0-1-7')),
        ], $events);
        self::assertSame(500, $parser->restartAt());
        $parser->restarted();
        self::assertEquals(
            [new Committed(new Position('log.000001', 600, '0-1-7'))],
            $parser->feed("\n" . self::commit(600)),
        );
    }

    /** @return array<string, array{string}> */
    public static function unclear(): array
    {
        $table = self::header(100, 'Table_map: `b`.`t` mapped to number 18');
        $rows = $table . self::header(200, 'Write_rows: table id 18 flags: STMT_END_F');

        return [
            'a statement of two lines' => [self::statement(200, "CREATE TABLE t (\n id INT)")],
            'a savepoint with a name that goes on' => [self::statement(200, "SAVEPOINT `a\n`")],
            'a statement behind a forged setting' => [self::statement(200, "SET TIMESTAMP='1'/*!*/;\nCOMMIT")],
            'another kind of event' => [self::header(200, 'User_var')],
            'a name with a line break' => [self::header(200, "Table_map: `b`.`t\n` mapped to number 18")],
            'an unknown line in a row' => [$rows . "### INSERT INTO `b`.`t`\n### SET\n###   @1=1\n### @2=3\n"],
            'a plain line in a row' => [$rows . "### INSERT INTO `b`.`t`\n### SET\nx\n"],
            'a row of another table' => [$rows . "### INSERT INTO `b`.`u`\n### SET\n###   @1=1\n"],
            'a column without a row' => [$rows . "###   @1=1\n"],
            'a column of a number that none has' => [$rows . "### INSERT INTO `b`.`t`\n### SET\n###   @99999=1\n"],
            'too few rows' => [$rows . "### INSERT INTO `b`.`t`\n### SET\n###   @1=1\n# Number of rows: 2\n"],
            'rows without a number' => [$rows . "### INSERT INTO `b`.`t`\n### SET\n###   @1=1\n# at 200\n"],
            'rows of no table' => [self::header(200, 'Write_rows: table id 19') . "### INSERT INTO `b`.`t`\n"],
            'a header that is none' => [$table . self::header(200, '') . "# at 5\nnonsense\n"],
            'two phases' => [self::header(200, 'GTID 0-1-9 trans') . "XA START X'78',X'',1/*!*/;\n"],
        ];
    }

    #[DataProvider('unclear')]
    public function testEndsEverythingWhereItDoesNotUnderstand(string $lines): void
    {
        [$events, $parser] = self::parsed($lines);
        self::assertSame(200, $parser->restartAt());
        self::assertNotSame([], array_filter(
            $events,
            static fn(LogEvent $event): bool => $event instanceof BulkChange && $event->table === null,
        ));
    }

    public function testFollowsTheLogIntoItsNextFile(): void
    {
        [$events, $parser] = self::parsed(
            self::header(700, 'Rotate to log.000002  pos: 4') . self::header(300, 'Xid = 5') . "COMMIT/*!*/;\n",
        );
        self::assertEquals([new Committed(new Position('log.000002', 300))], $events);
        self::assertSame('log.000002', $parser->file());
    }

    public function testReadsAStatementOfSeveralEvents(): void
    {
        $header = "#261124  0:04:20 server id 1  end_log_pos 300 \tWrite_rows: table id 18 flags: STMT_END_F\n";
        [$events, $parser] = self::parsed(
            self::header(100, 'Table_map: `b`.`t` mapped to number 18') . "# at 8\n# at 9\n"
                . self::header(200, 'Write_rows: table id 18') . $header
                . "### INSERT INTO `b`.`t`\n### SET\n###   @1=1\n### INSERT INTO `b`.`t`\n### SET\n###   @1=NULL\n"
                . "# Number of rows: 2\n",
        );
        self::assertNull($parser->restartAt());
        self::assertEquals([
            new RowChange('b', 't', null, [1 => '1'], true), new RowChange('b', 't', null, [1 => null], true),
        ], $events);
    }

    public function testATruncateEndsItsTable(): void
    {
        [$events] = self::parsed(self::statement(200, 'TRUNCATE TABLE news'));
        self::assertEquals(BulkChange::ofTable('app', 'news', 'TRUNCATE'), $events[0]);
        self::assertInstanceOf(Committed::class, $events[1]);
    }

    public function testASavepointChangesNothing(): void
    {
        [$events, $parser] = self::parsed(
            self::header(100, 'GTID 0-1-7 trans') . "START TRANSACTION\n/*!*/;\n"
                . self::header(200, "Query\tthread_id=4") . "SET TIMESTAMP=1/*!*/;\nSAVEPOINT `a`\n/*!*/;\n",
        );
        self::assertSame([[], null], [$events, $parser->restartAt()]);
    }

    public function testALongLineTakesBoundedRoomAndIsNoValue(): void
    {
        $parser = new BinlogParser(new Position('log.000001', 4));
        $events = $parser->feed(self::header(100, 'Table_map: `b`.`t` mapped to number 18')
            . self::header(200, 'Write_rows: table id 18 flags: STMT_END_F')
            . "### INSERT INTO `b`.`t`\n### SET\n###   @1=1\n###   @2='");
        $before = memory_get_usage();
        for ($i = 0; $i < 256; ++$i) {
            array_push($events, ...$parser->feed(str_repeat('x', 65536)));
        }
        self::assertLessThan(1 << 20, memory_get_usage() - $before);
        array_push($events, ...$parser->feed("'\n###   @3=3\n# Number of rows: 1\n"));
        self::assertEquals([new RowChange('b', 't', null, [1 => '1', 2 => false, 3 => '3'], true)], $events);
    }

    public function testWhatIsNoLogIsAnError(): void
    {
        $this->expectException(LogUnreadable::class);
        (new BinlogParser(new Position('', 4)))->feed("# at 4\nERROR: no such thing\n");
    }

    /** @return array{list<LogEvent>, BinlogParser} */
    private static function parsed(string $printed): array
    {
        $parser = new BinlogParser(new Position('log.000001', 4));

        return [$parser->feed($printed), $parser];
    }

    private static function header(int $end, string $event): string
    {
        return "# at 4\n#261124  0:04:20 server id 1  end_log_pos $end CRC32 0x670e50e9 \t$event\n";
    }

    private static function statement(int $end, string $text): string
    {
        return self::header(100, 'GTID 0-1-7 ddl') . "/*M!100001 SET @@session.gtid_seq_no=6*//*!*/;\n"
            . self::header($end, "Query\tthread_id=5\texec_time=0\terror_code=0\txid=6")
            . "use `app`/*!*/;\nSET TIMESTAMP=1795478660/*!*/;\nSET @@session.sql_mode=1411383296/*!*/;\n"
            . "/*!\\C utf8mb4 *//*!*/;\n$text\n/*!*/;\n";
    }

    private static function commit(int $end): string
    {
        return self::header($end, 'Xid = 9') . "COMMIT/*!*/;\n";
    }

    private static function printed(): string
    {
        return (string) file_get_contents(__DIR__ . '/printed/binlog.txt');
    }
}
