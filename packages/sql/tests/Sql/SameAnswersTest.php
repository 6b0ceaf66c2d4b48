<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Ledger\NoPages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\BoundMysqliStatement;
use Larder\Sql\Tracker\MysqliAnswer;
use Larder\Sql\Tracker\MysqliAnswers;
use Larder\Sql\Tracker\MysqliParameters;
use Larder\Sql\Tracker\MysqliResults;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingMysqliStatement;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tests\Support\Sql\Action;
use Larder\Tests\Support\Sql\Binding;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\MariaDbWords;
use Larder\Tests\Support\Sql\MysqliTwin;
use Larder\Tests\Support\Sql\PdoTwin;
use Larder\Tests\Support\Sql\Query;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\Schema;
use Larder\Tests\Support\Sql\Taking;
use Larder\Tests\Support\Sql\TwinConnections;
use Larder\Tests\Support\Sql\TwinsDiffer;
use Larder\Tests\Support\Sql\WriteMaker;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use Psr\Log\NullLogger;

/**
 * A tracked connection with a ledger answers as plain PDO and mysqli do, by each method, in each form of the rows.
 * `script/torture equal` does the same with more statements and in more ways.
 */
#[CoversClass(RecordingPdo::class)]
#[CoversClass(RecordingMysqli::class)]
#[CoversClass(RecordingMysqliStatement::class)]
#[CoversClass(BoundMysqliStatement::class)]
#[CoversClass(MysqliAnswer::class)]
#[CoversClass(MysqliAnswers::class)]
#[CoversClass(MysqliParameters::class)]
#[CoversClass(MysqliResults::class)]
#[CoversClass(NoPages::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class SameAnswersTest extends MysqliTestCase
{
    private const ROUTINES = [
        'CREATE PROCEDURE three() BEGIN SELECT 1 AS a; SELECT 2 AS b UNION SELECT 3; SELECT 4 AS c; END',
        "CREATE PROCEDURE mixed() BEGIN INSERT INTO news (category, title)"
            . " SELECT 'net', CONCAT('m', COALESCE(MAX(id), 0)) FROM news; SELECT 5; END",
        'CREATE PROCEDURE fails() BEGIN SELECT 1; INSERT INTO news (id) VALUES (NULL), (NULL); SELECT 2; END',
    ];

    private const STATEMENTS = [
        "INSERT INTO news (category, title) VALUES ('net', 'one'), ('web', 'two'), ('web', 'three')",
        'SELECT SQL_CALC_FOUND_ROWS id, title FROM news ORDER BY id LIMIT 1',
        'SELECT FOUND_ROWS() AS found',
        'CALL three()',
        'CALL mixed()',
        'CALL fails()',
        "UPDATE news SET views = 1 WHERE title = 'one'",
        "UPDATE news SET views = 1 WHERE title = 'one'",
        "INSERT INTO news (category, title) VALUES ('net', 'one') ON DUPLICATE KEY UPDATE views = views + 1",
        "INSERT INTO news (category, title) VALUES ('net', 'one') ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)",
        "REPLACE INTO news (category, title) VALUES ('net', 'one')",
        "INSERT IGNORE INTO news (category, title) VALUES ('net', 'one')",
        "INSERT INTO news (category, title) VALUES ('net', 'one')",
        "DELETE FROM news WHERE title = 'two' RETURNING title, category",
        'SELECT 1; SELECT title FROM news ORDER BY id LIMIT 2; SELECT 3',
        'UPDATE news SET views = 7; SELECT 1',
        'CALL three(); UPDATE news SET views = 8',
        "IF 1 THEN UPDATE news SET views = 9; END IF",
        'SELECT nothing FROM news',
        'UPDATE news SET views = /*! 4 */ + 1; SELECT 6',
        'DELETE FROM news',
    ];

    /** @return iterable<string, array{array<int, bool>|null}> PDO's options; null: mysqli */
    public static function ways(): iterable
    {
        yield 'emulated prepares' => [[PDO::ATTR_EMULATE_PREPARES => true]];
        yield 'native prepares' => [[PDO::ATTR_EMULATE_PREPARES => false]];
        yield 'found rows' => [[PDO::MYSQL_ATTR_FOUND_ROWS => true]];
        yield 'mysqli' => [null];
    }

    /** @param array<int, bool>|null $options */
    #[DataProvider('ways')]
    public function testEachMethodAnswersTheSame(?array $options): void
    {
        foreach (['twin', 'bench'] as $database) {
            foreach (self::ROUTINES as $routine) {
                $this->plain($database)->query($routine);
            }
        }
        $ran = 0;
        foreach ([Action::Run, Action::Exec, Action::Prepare] as $at => $action) {
            foreach (self::STATEMENTS as $number => $sql) {
                $returns = WriteMaker::returnsRows($sql) || str_contains($sql, '; ');
                if ($action === Action::Exec && $returns && $options !== null) {
                    // PDO's exec() leaves their rows, so that a plain connection is of no more use.
                    continue;
                }
                $twins = $number === 0 ? $this->twins($options) : $twins ?? $this->twins($options);
                foreach (self::commands($action, $sql) as $command) {
                    $taking = Taking::cases()[($number + $at) % \count(Taking::cases())];
                    $twins->run($command, "$taking->value: $command\n", $taking);
                }
            }
            $ran += ($twins ?? $this->twins($options))->ran;
            $twins = null;
        }
        self::assertGreaterThan(50, $ran);
    }

    /** @param array<int, bool>|null $options */
    #[DataProvider('ways')]
    public function testFoundRowsOfTheFirstStatement(?array $options): void
    {
        $this->plain('twin')->query(self::STATEMENTS[0]);
        $this->plain('bench')->query(self::STATEMENTS[0]);
        $twins = $this->twins($options);
        foreach ([self::STATEMENTS[1], 'SELECT FOUND_ROWS() AS found'] as $sql) {
            $twins->run(Command::run(new Query($sql)), $sql);
        }
        self::assertSame(2, $twins->ran);
    }

    /** @param array<int, bool>|null $options */
    #[DataProvider('ways')]
    public function testRandomCommandsAnswerTheSame(?array $options): void
    {
        $columns = 'id INT PRIMARY KEY, category VARCHAR(20), title VARCHAR(20), views INT';
        $twins = $this->twins($options);
        $twins->play(new WriteMaker(
            new Choices(4),
            new MariaDbWords($options !== null),
            new Schema([RandomTable::of('news', $columns)], [], []),
            changesSchema: false,
        ), 60);
        self::assertGreaterThan(60, $twins->ran);
    }

    public function testWhatDiffersIsFound(): void
    {
        $this->plain('twin')->query(self::STATEMENTS[0]);
        $this->expectException(TwinsDiffer::class);
        $this->twins(null)->run(Command::run(new Query('SELECT id FROM news ORDER BY id')), '');
    }

    public function testByNumberAndByNameUnlessSaid(): void
    {
        self::assertSame(['a' => 1, 0 => 1], $this->pdo([])->query('SELECT 1 AS a')->fetch());
        $named = $this->pdo([PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        self::assertSame(['a' => 1], $named->query('SELECT 1 AS a')->fetch());
    }

    /** @return list<Command> */
    private static function commands(Action $action, string $sql): array
    {
        [$bound, $stored] = [new Query($sql, [], Binding::BindValue), new Query($sql, [], Binding::BindParam)];

        return match ($action) {
            Action::Run => [Command::run(new Query($sql))],
            Action::Exec => [Command::exec($sql)],
            default => [
                Command::of(Action::Prepare, $bound),
                Command::of(Action::Execute, $bound),
                Command::of(Action::Execute, $stored),
            ],
        };
    }

    /** @param array<int, bool>|null $options */
    private function twins(?array $options): TwinConnections
    {
        if ($options === null) {
            $ours = $this->connect();
            SqlLedger::forValues($ours);
            $plain = new MysqliTwin($this->plain('twin'), 'twin');

            return new TwinConnections($plain, new MysqliTwin($ours), $ours, ['news'], false);
        }
        $ours = $this->pdo($options);
        SqlLedger::forValues($ours);
        [$user, $password] = self::account();
        $plain = new PDO($this->dsn('twin'), $user, $password, $options);

        return new TwinConnections(new PdoTwin($plain, 'twin'), new PdoTwin($ours), $ours, ['news'], false);
    }

    /** @param array<int, mixed> $options */
    private function pdo(array $options): RecordingPdo
    {
        [$user, $password] = self::account();

        return new RecordingPdo(
            $this->dsn('bench'),
            options: $options,
            logger: new NullLogger(),
            user: $user,
            password: $password,
        );
    }

    private function dsn(string $database): string
    {
        return \sprintf('mysql:unix_socket=%s;dbname=%s;charset=utf8mb4', self::$endpoint->socket, $database);
    }
}
