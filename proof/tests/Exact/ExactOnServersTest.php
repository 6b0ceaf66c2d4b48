<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exact;

use Larder\Proof\Support\Sql\Database;
use Larder\Proof\Exact\ExactTorture;
use Larder\Proof\Exact\LoggedCopy;
use Larder\Proof\Exact\MariaDbHost;
use Larder\Proof\Support\Sql\MariaDbTables;
use Larder\Proof\Support\Sql\MariaDbWords;
use Larder\Proof\Exact\PostgreSqlHost;
use Larder\Proof\Support\Sql\PostgreSqlTables;
use Larder\Proof\Support\Sql\PostgreSqlWords;
use Larder\Proof\Exact\Renderer;
use Larder\Proof\Support\Sql\ServerSchemaMaker;
use Larder\Proof\Exact\SteppedPdo;
use Larder\Proof\TortureCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** The judge on servers finds nothing; RulesTest shows that it would. */
#[CoversClass(ExactTorture::class)]
#[CoversClass(Database::class)]
#[CoversClass(MariaDbHost::class)]
#[CoversClass(MariaDbTables::class)]
#[CoversClass(MariaDbWords::class)]
#[CoversClass(PostgreSqlHost::class)]
#[CoversClass(PostgreSqlTables::class)]
#[CoversClass(PostgreSqlWords::class)]
#[CoversClass(ServerSchemaMaker::class)]
#[CoversClass(LoggedCopy::class)]
#[CoversClass(SteppedPdo::class)]
#[CoversClass(Renderer::class)]
final class ExactOnServersTest extends TestCase
{
    /** @return iterable<string, array{Database}> */
    public static function databases(): iterable
    {
        yield 'MariaDB' => [Database::MariaDb];
        yield 'PostgreSQL' => [Database::PostgreSql];
    }

    #[DataProvider('databases')]
    public function testReadsThatOverlapWithWritesAreNotStale(Database $database): void
    {
        $process = self::torture($database, 2, 2000);

        self::assertSame(0, $process->getExitCode(), $process->getErrorOutput() . $process->getOutput());
        self::assertMatchesRegularExpression('/^overlapped +[1-9]\d\d/m', $process->getOutput());
        self::assertMatchesRegularExpression('/^dropped untouched +0$/m', $process->getOutput());
    }

    private static function torture(Database $database, int $seed, int $pairs): Process
    {
        $process = new Process([PHP_BINARY, TortureCommand::script(), 'exact', "--database=$database->value",
            "--seed=$seed", "--pairs=$pairs"]);
        $process->setTimeout(600);
        $process->run();

        return $process;
    }
}
