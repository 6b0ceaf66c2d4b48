<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Exception\InvalidFollower;
use Larder\Follow\Unit;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Unit::class)]
final class UnitTest extends TestCase
{
    public function testSystemdTakesTheUnit(): void
    {
        exec('command -v systemd-analyze', $found, $code);
        if ($code !== 0) {
            self::markTestSkipped('systemd-analyze is not installed');
        }
        $scratch = new TemporaryDirectory();
        $unit = $scratch->path . '/larder-follow.service';
        file_put_contents($unit, Unit::text([PHP_BINARY, '/opt/a b/larder'], '/srv/50%/a"b\\$c.php', '/var/f', 'root'));
        exec('systemd-analyze verify --man=no ' . escapeshellarg($unit) . ' 2>&1', $lines, $code);
        $said = implode("\n", array_filter($lines, static fn(string $line) => str_contains($line, 'larder-follow')));
        // A line that it must refuse shows that it reads the unit at all.
        file_put_contents($unit, "\nExecStart=relative\n", FILE_APPEND);
        exec('systemd-analyze verify --man=no ' . escapeshellarg($unit) . ' 2>&1', $control);
        $scratch->remove();

        self::assertSame('', $said);
        self::assertSame(0, $code);
        self::assertStringContainsString('larder-follow', implode("\n", $control));
    }

    public function testPathsAreQuotedAsSystemdReadsThem(): void
    {
        $text = Unit::text(['/usr/bin/php', '/opt/a b/larder'], '/srv/50%/a"b\\$c.php', '/var/f', 'www-data');

        self::assertStringContainsString(
            "\nExecStart=/usr/bin/php \"/opt/a b/larder\" follow \"/srv/50%%/a\\\"b\\\\$\$c.php\"\n",
            $text,
        );
        self::assertStringContainsString("\nUser=www-data\n", $text);
        self::assertStringContainsString("\nRestart=always\n", $text);
    }

    /** @return array<string, array{string, string, string}> */
    public static function refused(): array
    {
        return [
            'a relative state' => ['/srv/follow.php', 'state', 'absolute path'],
            'a new line' => ["/srv/a\nExecStartPre=b.php", '/var/f', 'control characters'],
        ];
    }

    #[DataProvider('refused')]
    public function testRefusesWhatWouldBeAnotherUnit(string $file, string $state, string $why): void
    {
        $this->expectException(InvalidFollower::class);
        $this->expectExceptionMessage($why);
        Unit::text(['/usr/bin/php', '/opt/larder'], $file, $state, 'www-data');
    }
}
