<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Runs the PHP of docs/how-to/sessions.md twice, as two visits of one visitor. */
#[CoversNothing]
final class SessionsGuideTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testTheNextVisitSeesTheOneBefore(): void
    {
        $guide = (string) file_get_contents(self::ROOT . '/docs/how-to/sessions.md');
        self::assertSame(1, preg_match('~^```php\n// \S+\n(.+?)^```\n\n```text\n(.+?)^```$~ms', $guide, $found));
        $directory = new TemporaryDirectory();
        Extension::file();
        $server = new Memcached($directory->path . '/server');
        try {
            $code = strtr($found[1], [
                "'vendor/" => "'" . self::ROOT . '/vendor/',
                '127.0.0.1:11211' => $server->endpoint()->address(),
                'session_start();' => 'session_id($argv[1] ?? ""); session_start(); fwrite(STDERR, session_id());',
            ]);
            file_put_contents($directory->path . '/sessions.php', "<?php\n" . $code);
            $first = Extension::process(['session.use_cookies' => '0'], $directory->path . '/sessions.php');
            $first->run();
            $id = $first->getErrorOutput();
            $second = Extension::process(['session.use_cookies' => '0'], $directory->path . '/sessions.php', $id);
            $second->run();
        } finally {
            $server->stop();
            $directory->remove();
        }
        self::assertSame($found[2], $first->getOutput(), $id);
        self::assertSame("visit 2\n", $second->getOutput());
        self::assertSame($id, $second->getErrorOutput());
    }
}
