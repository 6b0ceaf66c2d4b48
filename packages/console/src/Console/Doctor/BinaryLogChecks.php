<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\Followed;
use Larder\Follow\MariaDb\BinlogProgram;
use Larder\Follow\Position;
use Larder\Follow\Queries;
use PDOException;

/** @internal Looks at MariaDB's binary log, and reads it as the follower does. */
final readonly class BinaryLogChecks
{
    /** Seconds in which the program says how a file of the log begins. */
    private const PATIENCE = 10.0;

    public function __construct(
        private Queries $queries,
        private Followed $followed,
    ) {}

    /** @return list<Check> */
    public function checks(): array
    {
        [[$log, $format, $image, $metadata]] = $this->queries->rows('SELECT @@GLOBAL.log_bin, @@GLOBAL.binlog_format,'
            . ' @@GLOBAL.binlog_row_image, @@GLOBAL.binlog_row_metadata');
        $writes = 'the server writes a binary log';
        if ((string) $log !== '1') {
            return [Check::failed($writes, 'set log_bin and a server_id of its own in my.cnf, and restart it')];
        }

        return [
            Check::ok($writes, 'but not what a session writes with sql_log_bin = 0: no follower sees that'),
            Check::that(
                'changes are in the log row by row',
                $format === 'ROW',
                "binlog_format is $format, so that each such statement ends everything: set binlog_format = ROW. "
                    . 'Sessions that are open keep theirs',
            ),
            $image === 'FULL'
                ? Check::ok('the log has whole rows')
                : Check::remark('the log has whole rows', "binlog_row_image is $image, so that tables with column "
                    . 'sets end as a whole: set binlog_row_image = FULL'),
            Check::ok(
                'the columns of a row are known',
                "by information_schema. binlog_row_metadata is $metadata, and any will do. DDL, and so EXCHANGE "
                    . 'PARTITION, ends everything',
            ),
            ...$this->rights(),
        ];
    }

    /** @return list<Check> */
    private function rights(): array
    {
        $may = 'the account of the ledger may ask where the log ends';
        try {
            $status = $this->queries->rows('SHOW MASTER STATUS')[0] ?? [];
        } catch (PDOException $exception) {
            return [Check::failed($may, $exception->getMessage() . '. GRANT BINLOG MONITOR ON *.* to it')];
        }
        $reads = 'the account of the log may read it';
        try {
            $this->read(new Position((string) ($status[0] ?? ''), (int) ($status[1] ?? 4)));
        } catch (LogUnreadable $exception) {
            return [Check::ok($may), Check::failed($reads, rtrim($exception->getMessage(), '.') . '. Let `log` of the '
                . 'Followed lead to an account with REPLICATION SLAVE')];
        }

        return [Check::ok($may), Check::ok($reads)];
    }

    /** @throws LogUnreadable */
    private function read(Position $from): void
    {
        $program = new BinlogProgram($this->followed->settings->program, $this->followed->log, $from, false, false);
        try {
            $end = microtime(true) + self::PATIENCE;
            for ($text = ''; !str_contains($text, "\tStart: binlog v 4");) {
                $text = substr($text, -4096) . $program->read(0.1);
                if (microtime(true) > $end) {
                    throw LogUnreadable::because('the program ' . $this->followed->settings->program . ' says nothing');
                }
            }
        } finally {
            $program->stop();
        }
    }
}
