<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Console\FollowFile;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

/** Reads the PHP of docs/how-to/follow.md as `larder follow` does. */
#[CoversClass(FollowFile::class)]
#[RequiresPhpExtension('larder')]
final class FollowGuideTest extends TestCase
{
    private const SITE = <<<'PHP'
        <?php
        return new Larder\Page\Site(
            name: 'news',
            hosts: ['localhost'],
            pages: __DIR__ . '/pages',
            list: __DIR__ . '/list.php',
            controllers: [],
            connect: static fn() => new Larder\Dependency\RecordingPdo('sqlite:' . __DIR__ . '/site.sqlite'),
            operations: new Larder\Page\Operations(code: []),
        );
        PHP;

    public function testItsFileSaysWhatIsFollowed(): void
    {
        $guide = (string) file_get_contents(__DIR__ . '/../../../docs/how-to/follow.md');
        self::assertSame(1, preg_match('~^```php\n(// follow\.php\n.+?)^```$~ms', $guide, $found));
        $directory = new TemporaryDirectory();
        try {
            file_put_contents($directory->path . '/larder.php', self::SITE);
            $code = str_replace('/srv/news', $directory->path, $found[1]);
            file_put_contents($directory->path . '/follow.php', "<?php\n" . $code);
            $followed = FollowFile::read($directory->path . '/follow.php');
            self::assertSame('/var/lib/larder/follow', $followed->state);
            self::assertCount(1, $followed->rows);
            self::assertSame([$directory->path . '/pages'], $followed->pages);
            self::assertSame('sqlite', ($followed->ledger)()->connection()->dialect()->driver());
        } finally {
            $directory->remove();
        }
    }
}
