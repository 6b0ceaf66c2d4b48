<?php

declare(strict_types=1);

namespace Larder\Proof\Contention;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use RuntimeException;

/** Compares the conflicts of an application's writers on plain connections and on recording ones, turn by turn. */
final class ContentionTorture implements Torture
{
    private const WRITERS = 8;

    /** Seconds that writers of one kind run before those of the other do. */
    private const TURN = 2.5;

    /** Seconds in which the writers of a turn must have ended. */
    private const PATIENCE = 30.0;

    public function about(): About
    {
        return new About(
            'contention',
            'Lets eight writers change twenty hot rows, and counts deadlocks and conflicts beyond those of plain'
                . ' connections',
            <<<'HELP'
            Example: <info>script/torture contention --database=mariadb --seconds=60</info>

            Writers update, insert, delete and upsert twenty rows and those that refer to them, by statements alone and
            in transactions, in the order of the keys. They run in turns on plain connections and on recording ones with
            a ledger, at READ COMMITTED and REPEATABLE READ, on MariaDB with innodb_snapshot_isolation on and off. What
            failed is tried again and counted by its kind. The exit code is 1 if recording writers had a kind of failure
            that plain ones did not have, or had it much more often; and 2 if too little happened to show that.
            HELP,
            [
                Option::seconds(4),
                Option::choice('database', 'Which server is used', ['mariadb', 'postgresql'], 'mariadb'),
                Option::seed(),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $kind = DatabaseKind::from($run->text('database'));
        $database = Database::start($kind, $run->directory() . '/server');
        $run->atEnd($database->stop(...));
        $levels = Level::of($kind);
        HotRows::make($database->connect(), $kind);
        SqlLedger::forValues(self::recording($database))->deploy();
        $boards = [];
        $turns = max(1, (int) round($run->seconds() / \count($levels) / 2 / self::TURN));
        foreach ($levels as $level) {
            $boards[$level->name()] = [self::board(), self::board()];
            for ($turn = 0; $turn < 2 * $turns; ++$turn) {
                $isRecording = $turn % 2 === 1;
                $board = $boards[$level->name()][(int) $isRecording];
                self::turn($run, $database, $level, $isRecording, $board, $run->seed() + $turn);
            }
            $run->tell($level->name() . ': ' . self::line(...$boards[$level->name()]));
        }

        return self::result($boards);
    }

    private static function turn(
        Run $run,
        Database $database,
        Level $level,
        bool $isRecording,
        Board $board,
        int $seed,
    ): void {
        $end = (int) (hrtime(true) + self::TURN * 1e9);
        $work = static function (int $number) use ($database, $level, $isRecording, $board, $end): void {
            $connection = $isRecording ? self::recording($database) : $database->connect();
            foreach ($level->statements as $statement) {
                $connection->exec($statement);
            }
            (new HotRows($connection, $database->kind, $board, $number))->run($end);
        };
        $pool = $run->pool($work, $seed);
        $pool->fill(self::WRITERS);
        foreach ($pool->end(self::PATIENCE) as $ended) {
            if (!$ended->finished) {
                throw new RuntimeException('A writer ' . $ended->reason());
            }
        }
    }

    private static function recording(Database $database): RecordingPdo
    {
        $connection = new RecordingPdo($database->dsn, user: $database->user, password: $database->password);
        SqlLedger::forValues($connection);

        return $connection;
    }

    private static function board(): Board
    {
        return Board::create([Failure::class => self::WRITERS, 'done' => self::WRITERS]);
    }

    private static function line(Board $plain, Board $recording): string
    {
        $done = max(1, $plain->sum('done'));
        $words = [];
        foreach (Failure::cases() as $failure) {
            if ($plain->sum($failure) + $recording->sum($failure) > 0) {
                $words[] = \sprintf('%s %d/%d', $failure->name, $plain->sum($failure), $recording->sum($failure));
            }
        }

        return \sprintf(
            'transactions plain %d, recording %d (%.2f of plain)%s',
            $plain->sum('done'),
            $recording->sum('done'),
            $recording->sum('done') / $done,
            $words === [] ? ', no failures' : '; failures plain/recording: ' . implode(', ', $words),
        );
    }

    /** @param array<string, array{Board, Board}> $boards by level: plain, recording */
    private static function result(array $boards): Result
    {
        $figures = $lines = [];
        $beyond = 0;
        $fewest = PHP_INT_MAX;
        foreach ($boards as $name => [$plain, $recording]) {
            $lines[] = $name . ': ' . self::line($plain, $recording);
            $done = [max(1, $plain->sum('done')), max(1, $recording->sum('done'))];
            $fewest = min($fewest, ...$done);
            $figures[$name . '_plain'] = $done[0];
            $figures[$name . '_recording'] = $done[1];
            foreach (Failure::cases() as $failure) {
                $of = [$plain->sum($failure), $recording->sum($failure)];
                $beyond += Failure::areMore($of, $done) ? $of[1] : 0;
            }
        }

        return new Result(
            ['beyond' => $beyond] + $figures + ['levels' => $lines],
            \sprintf('beyond the plain application: %d failures', $beyond),
            $beyond === 0,
            $fewest >= 100,
            'A writer of a level made fewer than 100 transactions.',
        );
    }
}
