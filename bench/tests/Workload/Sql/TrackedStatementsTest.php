<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Sql;

use InvalidArgumentException;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\CellState;
use Larder\Bench\Subject\Context;
use Larder\Bench\Tests\Run\BenchRun;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Sql\BarePdo;
use Larder\Bench\Workload\Sql\BareStatement;
use Larder\Bench\Workload\Sql\SqlSubjects;
use Larder\Bench\Workload\Sql\TrackedConnection;
use Larder\Bench\Workload\Sql\TrackedStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(BarePdo::class)]
#[CoversClass(BareStatement::class)]
#[CoversClass(SqlSubjects::class)]
#[CoversClass(TrackedConnection::class)]
#[CoversClass(TrackedStatements::class)]
final class TrackedStatementsTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** @return iterable<string, array{class-string<PDO>, string}> */
    public static function statements(): iterable
    {
        foreach ([PDO::class, BarePdo::class, RecordingPdo::class] as $class) {
            foreach (['unrecorded', 'known', 'literals', 'new', 'update'] as $statement) {
                yield "$statement, $class" => [$class, $statement];
            }
        }
    }

    /** @param class-string<PDO> $class */
    #[DataProvider('statements')]
    public function testEveryAnswerIsChecked(string $class, string $statement): void
    {
        $connection = new TrackedConnection($class);
        $connection->connect(new Context([], $this->directory->path));
        self::assertSame($class, $connection->pdo::class);
        $step = (new TrackedStatements())->step($connection, $this->job($statement), 0);
        ($step->run)();
        ($step->run)();
        self::assertNull($step->checked);
        self::assertSame($statement === 'update' ? 1 : 50, $step->operations);

        (new PDO("sqlite:{$this->directory->path}/bench.sqlite"))->exec('DELETE FROM entry');
        $this->expectException(WrongReply::class);
        ($step->run)();
    }

    public function testAnUnknownStatementIsRefusedByName(): void
    {
        $connection = new TrackedConnection(PDO::class);
        $connection->connect(new Context([], $this->directory->path));
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('not delete');
        (new TrackedStatements())->step($connection, $this->job('delete'), 0);
    }

    public function testCountsTheTripsAroundTheStatement(): void
    {
        $trace = <<<'END'
            10 sendto(5, "COMMIT"..., 60, 0, NULL, 0) = 60
            11 getppid() = 10
            11 sendto(5, "\7\0\0\0\3BEGIN", 9, 0, NULL, 0) = 9
            10 sendto(5, "UPDATE entry"..., 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3UPDATE entry SET", 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3SELECT", 60, 0, NULL, 0) = 60
            11 recvfrom(5, "COMMIT", 60, 0, NULL, NULL) = 60
            11 sendto(5, "\7\0\0\0\3INSERT", 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3COMMIT", 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3BEGIN", 9, 0, NULL, 0) = 9
            11 sendto(5, "\7\0\0\0\3UPDATE entry SET", 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3COMMIT", 60, 0, NULL, 0) = 60
            11 sendto(5, "\7\0\0\0\3ROLLBACK", 60, 0, NULL, 0) = 60
            11 getppid() = 10
            11 sendto(5, "\7\0\0\0\3QUIT", 60, 0, NULL, 0) = 60
            END;

        self::assertSame([
            'trips before the UPDATE' => 1.0,
            'trips up to COMMIT' => 2.0,
            'trips after COMMIT' => 1.0,
        ], (new TrackedStatements())->figures($trace));
        // A plain connection sends no COMMIT.
        self::assertSame([], (new TrackedStatements())->figures(str_replace('COMMIT', 'SELECT', $trace)));
    }

    /** The program itself, on the server that the chart names. */
    public function testMeasuresOnTheDatabaseThatIsAskedFor(): void
    {
        $bench = new BenchRun();
        try {
            $process = $bench->run([
                '--tests=row_get:statement',
                '--clients=row-prepared:connection-plain:connection-tracked',
                '--databases=postgresql',
                '--blocks=6',
                '--window=0.05',
            ]);
            self::assertSame(0, $process->getExitCode(), $process->getErrorOutput() . $process->getOutput());
            $document = $bench->document();
            $cell = $document->chart('row_get?database=postgresql&workers=1')?->cell('row-prepared');
            self::assertSame(CellState::Measured, $cell?->state);
            self::assertSame($cell->coverage?->replies > $cell->coverage?->checked, true);
            $chart = $document->chart('statement?database=postgresql&statement=unrecorded&workers=1');
            foreach (['connection-plain', 'connection-tracked'] as $id) {
                self::assertSame(CellState::Measured, $chart?->cell($id)?->state, $id);
            }
            self::assertArrayHasKey('postgresql', (array) ($document->environment['servers'] ?? []));
        } finally {
            $bench->remove();
        }
    }

    private function job(string $statement): Job
    {
        return new Job(
            'statement',
            'connection-plain',
            ['statement' => $statement, 'workers' => 1],
            0.05,
            0,
            1,
            [],
            $this->directory->path,
            'bench:',
        );
    }
}
