<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Exact;

use Larder\Torture\Exact\Database;
use Larder\Torture\Exact\ExactTorture;
use Larder\Torture\Exact\LoggedCopy;
use Larder\Torture\Exact\MariaDbHost;
use Larder\Torture\Exact\MariaDbTables;
use Larder\Torture\Exact\MariaDbWords;
use Larder\Torture\Exact\PostgreSqlHost;
use Larder\Torture\Exact\PostgreSqlTables;
use Larder\Torture\Exact\PostgreSqlWords;
use Larder\Torture\Exact\Renderer;
use Larder\Torture\Exact\ServerSchemaMaker;
use Larder\Torture\Exact\SteppedPdo;
use Larder\Torture\TortureCommand;
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
