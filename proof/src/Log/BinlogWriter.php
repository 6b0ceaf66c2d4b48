<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use Larder\Follow\BulkChange;
use Larder\Follow\Committed;
use Larder\Follow\LogEvent;
use Larder\Follow\MariaDb\BinlogParser;
use Larder\Follow\Position;
use Larder\Follow\RowChange;
use Larder\Tests\Support\Sql\Choices;

/** Prints random changes as `mariadb-binlog` does. */
final class BinlogWriter
{
    private const SETTINGS = "SET TIMESTAMP=1795478660/*!*/;\nSET @@session.sql_mode=1411383296/*!*/;\n"
        . "SET @@session.foreign_key_checks=1, @@session.sql_auto_is_null=0/*!*/;\n/*!\\C utf8mb4 *//*!*/;\n";

    private const PLAIN = ['0', '7', '-1 (4294967295)', '1.5                 ', "b'0101'", '-0.00', '12e300'];

    private readonly HostileText $hostile;

    private string $text = '';

    /** @var array<string, int> */
    private array $tails = [];

    private string $file = PrintedLog::FILE;

    private int $end = 4;

    private int $gtid = 0;

    private bool $isExact = true;

    public function __construct(private readonly Choices $choices)
    {
        $this->hostile = new HostileText($choices);
    }

    /** @param int $count transactions */
    public function log(int $count): PrintedLog
    {
        [$this->text, $this->tails, $this->file, $this->end] = ['', [], PrintedLog::FILE, 4];
        [$this->gtid, $this->isExact] = [$this->choices->number(0, 99), true];
        $this->text = "DELIMITER /*!*/;\n" . self::start($this->file) . "ROLLBACK/*!*/;\n";
        $transactions = [];
        while ($count-- > 0) {
            if ($this->choices->happens(5)) {
                $this->rotate();
            }
            $changes = $this->choices->happens(80) ? $this->transaction() : $this->statement();
            $transactions[] = new WrittenTransaction(
                $changes,
                new Committed(new Position($this->file, $this->end, "0-1-$this->gtid")),
            );
        }
        $this->tails["$this->file:$this->end"] ??= \strlen($this->text);
        $this->text .= "DELIMITER ;\n# End of log file\nROLLBACK /* added by mysqlbinlog */;\n";

        return new PrintedLog($this->text, $this->tails, $transactions, $this->isExact);
    }

    private function rotate(): void
    {
        $next = \sprintf('log.%06d', 1 + (int) substr($this->file, \strlen('log.')));
        $this->event("Rotate to $next  pos: 4");
        $this->file = $next;
        $this->end = 4;
        $this->text .= self::start($next);
    }

    /** What the server says of a file before its events. */
    private static function start(string $file): string
    {
        return "# at 4\n#700101  0:00:00 server id 1  end_log_pos 0 \tRotate to $file  pos: 4\n# at 4\n"
            . '#261124  3:54:18 server id 1  end_log_pos 256 CRC32 0x8f070f50 '
            . "\tStart: binlog v 4, server v 10.11.19-MariaDB-log created 261124  3:54:18\n";
    }

    /** @return list<LogEvent> */
    private function transaction(): array
    {
        $this->event('GTID 0-1-' . ++$this->gtid . ' trans');
        $this->text .= "/*M!100001 SET @@session.gtid_seq_no=$this->gtid*//*!*/;\nSTART TRANSACTION\n/*!*/;\n";
        $changes = [];
        for ($left = $this->choices->number(1, 2); $left > 0; --$left) {
            if ($this->choices->happens(10)) {
                $this->event("Query\tthread_id=4\texec_time=0\terror_code=0\txid=0");
                $this->text .= self::SETTINGS . 'SAVEPOINT `' . $this->choices->one(['a', 'A1', 'x.y']) . "`\n/*!*/;\n";
            }
            array_push($changes, ...$this->rows());
        }
        $this->event('Xid = ' . $this->choices->number(1, 9));
        $this->text .= "COMMIT/*!*/;\n";

        return $changes;
    }

    /** @return list<LogEvent> of a statement that is alone */
    private function statement(): array
    {
        $this->event('GTID 0-1-' . ++$this->gtid . ' ddl');
        $this->event("Query\tthread_id=4\texec_time=0\terror_code=0\txid=6");
        $isKnown = $this->choices->happens(40);
        $table = $this->choices->one(['news', 't', 'a_b']);
        $text = $isKnown ? "TRUNCATE TABLE $table" : "ALTER TABLE t COMMENT '" . $this->hostile->value() . "'";
        $this->text .= "use `app`/*!*/;\n" . self::SETTINGS . "$text\n/*!*/;\n";

        return [$isKnown ? BulkChange::ofTable('app', $table, 'TRUNCATE') : BulkChange::ofAll('')];
    }

    /** @return list<RowChange> of one statement */
    private function rows(): array
    {
        $kind = $this->choices->one(['Write', 'Update', 'Delete']);
        $names = [$this->hostile->name(), $this->hostile->name()];
        if ($this->choices->happens(2)) {
            $names[1] .= "\n# at 4";
            $this->isExact = false;
        }
        $quoted = self::quoted($names[0]) . '.' . self::quoted($names[1]);
        $number = $this->choices->number(1, 99);
        $this->event("Table_map: $quoted mapped to number $number");
        $events = $this->choices->happens(10) ? 2 : 1;
        $heads = '';
        for ($i = 1; $i <= $events; ++$i) {
            $this->begin();
            $compressed = $this->choices->happens(5) ? '_compressed' : '';
            $heads .= $this->header("{$kind}{$compressed}_rows: table id $number"
                . ($i === $events ? ' flags: STMT_END_F' : ''));
        }
        $this->text .= $heads;
        $rows = [];
        $columns = $this->choices->number(1, 3);
        for ($left = $this->choices->number(1, 2); $left > 0; --$left) {
            $this->text .= '### ' . ['Write' => 'INSERT INTO', 'Update' => 'UPDATE', 'Delete' => 'DELETE FROM'][$kind]
                . " $quoted\n";
            $before = $kind === 'Write' ? null : $this->image('WHERE', $columns);
            $after = $kind === 'Delete' ? null : $this->image('SET', $columns);
            $rows[] = new RowChange($names[0], $names[1], $before, $after, $kind === 'Write');
        }
        $this->text .= '# Number of rows: ' . \count($rows) . "\n";

        return $rows;
    }

    /** @return array<int, string|false|null> */
    private function image(string $word, int $columns): array
    {
        $this->text .= "### $word\n";
        $image = [];
        for ($number = 1; $number <= $columns; ++$number) {
            if ($number > 1 && $this->choices->happens(3)) {
                continue;
            }
            [$printed, $image[$number]] = $this->value();
            $this->text .= "###   @$number=$printed\n";
        }

        return $image;
    }

    /** @return array{string, string|false|null} as it is printed, and what the parser has to say of it */
    private function value(): array
    {
        if ($this->choices->happens(40)) {
            $text = $this->choices->one(self::PLAIN);

            return [$text, $text];
        }
        if ($this->choices->happens(12)) {
            return ['NULL', null];
        }
        $text = $this->hostile->value();
        if ($this->choices->number(1, 2000) === 1) {
            $text .= str_repeat('long ', BinlogParser::LONGEST_LINE);

            return ["'" . self::escaped($text) . "'", false];
        }
        $printed = self::escaped($text);

        return ["'$printed'", str_contains($printed, '\\x') ? false : $printed];
    }

    /** Begins an event, whose header is all that it has so far. */
    private function event(string $what): void
    {
        $this->begin();
        $this->text .= $this->header($what);
    }

    private function begin(): void
    {
        $this->tails["$this->file:$this->end"] ??= \strlen($this->text);
        $this->text .= "# at $this->end\n";
    }

    private function header(string $what): string
    {
        $this->end += $this->choices->number(19, 400);

        return "#261124  3:54:18 server id 1  end_log_pos $this->end CRC32 0x670e50e9 \t$what\n";
    }

    private static function escaped(string $text): string
    {
        return (string) preg_replace_callback(
            '/[\x00-\x1f]/',
            static fn(array $found): string => \sprintf('\\x%02x', \ord($found[0])),
            $text,
        );
    }

    private static function quoted(string $name): string
    {
        return '`' . str_replace('`', '``', $name) . '`';
    }
}
