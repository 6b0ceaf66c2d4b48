<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** Larder's own connection, kept from one request of a php-fpm worker to the next. */
#[CoversClass(RecordingPdo::class)]
#[CoversClass(SecondConnection::class)]
final class KeptSecondConnectionTest extends TestCase
{
    #[TestWith([DatabaseKind::PostgreSql, 'pg_backend_pid()', 'SELECT pg_terminate_backend(%d)'])]
    #[TestWith([DatabaseKind::MariaDb, 'CONNECTION_ID()', 'KILL %d'])]
    public function testItIsKeptIfThatIsAskedForWithNothingOpen(DatabaseKind $kind, string $number, string $close): void
    {
        $directory = new TemporaryDirectory();
        $database = Database::start($kind, $directory->path . '/data');
        $php = null;
        try {
            $database->connect()->exec('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(20))');
            $database->connect()->exec("INSERT INTO news VALUES (4, 'four')");
            $php = new PhpFpm($directory->path, Account::of(null), 1, [
                'AUTOLOAD' => \dirname(__DIR__, 5) . '/vendor/autoload.php', 'DSN' => $database->dsn,
                'ACCOUNT' => (string) $database->user, 'PASSWORD' => (string) $database->password,
                'NUMBER' => $number, 'CLOSE' => $close,
            ]);
            $script = new FastCgi($php->socket, __DIR__ . '/kept.php');
            $ask = static function (string $query) use ($script): array {
                $lines = explode("\n", trim((string) $script->get($query)));

                /** @var non-empty-list<array<string, int>> */
                return array_map(static fn(string $line): mixed => json_decode($line, true), $lines);
            };

            [$one, $other] = [$ask('do=&keeps=0')[0], $ask('do=&keeps=0')[0]];
            self::assertNotSame($one['second'], $other['second']);

            [$kept, $again] = [$ask('do=&keeps=1')[0], $ask('do=exit&keeps=1')[0]];
            self::assertSame($kept['second'], $again['second']);
            self::assertNotSame($kept['first'], $again['first']);

            // The row is not locked and as it was, though that request ended in the middle of a transaction.
            self::assertSame(1, $database->connect()->exec("UPDATE news SET title = 'whole' WHERE title = 'four'"));

            [$next, $opened] = [...$ask('do=close&keeps=1'), []];
            self::assertSame($kept['second'], $next['second']);
            self::assertNotSame($kept['second'], $opened['opened']);
            self::assertSame($opened['opened'], $opened['in']);
            self::assertSame($opened['opened'], $ask('do=&keeps=1')[0]['second']);
        } finally {
            $php?->stop();
            $database->stop();
            $directory->remove();
        }
    }
}
