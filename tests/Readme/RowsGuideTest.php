<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Runs the PHP of docs/how-to/rows.md on a MariaDB of its own, and compares what it prints. */
#[CoversNothing]
#[RequiresPhpExtension('pdo_mysql')]
final class RowsGuideTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testPrintsWhatTheGuideShows(): void
    {
        $guide = (string) file_get_contents(self::ROOT . '/docs/how-to/rows.md');
        self::assertSame(1, preg_match('~^```php\n// rows\.php\n(.+?)^```$\n\n```text\n(.+?)^```$~ms', $guide, $found));
        $directory = new TemporaryDirectory();
        $database = Database::start(DatabaseKind::MariaDb, $directory->path . '/database');
        try {
            $code = str_replace(
                ["'mysql:host=localhost;dbname=news;charset=utf8mb4', user: 'news', password: 'secret'", "'vendor/"],
                [
                    var_export($database->dsn, true) . ', user: ' . var_export($database->user, true)
                        . ', password: ' . var_export($database->password, true),
                    "'" . self::ROOT . '/vendor/',
                ],
                $found[1],
            );
            file_put_contents($directory->path . '/rows.php', "<?php\n" . $code);
            $extension = self::ROOT . '/build/extension/larder.so';
            $options = \extension_loaded('larder') ? [
                '-d', 'extension=' . $extension, '-d', 'larder.name=guide', '-d', 'larder.size=8M',
                '-d', 'larder.directory=' . $directory->path,
            ] : [];
            $process = new Process([PHP_BINARY, ...$options, $directory->path . '/rows.php']);
            $process->run();
        } finally {
            $database->stop();
            $directory->remove();
        }
        self::assertSame($found[2], $process->getOutput(), $process->getErrorOutput());
    }
}
