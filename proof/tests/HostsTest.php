<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Page\MemcachedPageStore;
use Larder\Proof\Pages\Crew;
use Larder\Proof\Pages\HostedSite;
use Larder\Proof\Pages\HotWriter;
use Larder\Proof\Pages\MissingGuard;
use Larder\Proof\Pages\Outages;
use Larder\Proof\Pages\PagesRun;
use Larder\Proof\Pages\PagesTorture;
use Larder\Proof\Pages\SiteCode;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PhpParser\NodeAbstract;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** `script/torture pages --hosts=2` without a guard, and its parts. */
#[CoversClass(Crew::class)]
#[CoversClass(HostedSite::class)]
#[CoversClass(HotWriter::class)]
#[CoversClass(MissingGuard::class)]
#[CoversClass(Outages::class)]
#[CoversClass(PagesRun::class)]
#[CoversClass(PagesTorture::class)]
final class HostsTest extends TestCase
{
    public function testAGuardThatIsTakenAwayIsMissed(): void
    {
        $found = Runs::found('pages', '--database=mariadb', '--hosts=2', '--seconds=300', '--broken=drop');

        self::assertGreaterThan(0, $found['stale'] ?? 0);
    }

    public function testSeveralHostsNeedADatabaseServer(): void
    {
        $process = Runs::process('pages', '--hosts=2');

        self::assertSame(2, $process->run());
        self::assertStringContainsString('--database=mariadb', $process->getErrorOutput());
    }

    /** A worker of php-fpm would spend its time on reading PHP otherwise. */
    #[TestWith([MissingGuard::None, false])]
    #[TestWith([MissingGuard::Drop, true])]
    #[TestWith([MissingGuard::Swap, true])]
    public function testASiteLoadsAClassWithoutAGuardAsAFileThatWasMadeBefore(MissingGuard $missing, bool $isMade): void
    {
        $directory = new TemporaryDirectory();
        SiteCode::copy(PagesTorture::site(), $directory->path, $missing);
        $process = new Process([PHP_BINARY, '-r', \sprintf(
            'require %s; echo json_encode([(new ReflectionClass(%s))->getFileName(), class_exists(%s, false)]);',
            var_export($directory->path . '/vendor/autoload.php', true),
            var_export(MemcachedPageStore::class, true),
            var_export(NodeAbstract::class, true),
        )]);
        $process->mustRun();
        [$file, $parses] = (array) json_decode($process->getOutput()) + [null, null];
        $directory->remove();

        self::assertIsString($file);
        self::assertSame($isMade, str_starts_with($file, $directory->path . '/'), $file);
        self::assertFalse($parses);
    }

    public function testServersAreAwayInTurn(): void
    {
        $directory = new TemporaryDirectory();
        $servers = [new Memcached($directory->path . '/0'), new Memcached($directory->path . '/1')];
        $outages = new Outages($servers);
        $seen = [];
        for ($i = 0; $i < 4; ++$i) {
            $pid = $servers[$i % 2]->pid();
            $outages->begin();
            $outages->begin();
            $seen[] = [$servers[0]->isRunning(), $servers[1]->isRunning(), self::isStopped($pid)];
            $outages->end();
            self::assertFalse(self::isStopped($servers[$i % 2]->pid()));
        }
        self::assertSame([
            [false, true, false],
            [true, false, false],
            [true, true, true],
            [true, true, true],
        ], $seen);
        self::assertSame(['memcached_restarts' => 2, 'memcached_stops' => 2], $outages->counts());
        foreach ($servers as $server) {
            $server->stop();
        }
        $directory->remove();
    }

    private static function isStopped(int $pid): bool
    {
        return preg_match('/^State:\s+T/m', (string) @file_get_contents("/proc/$pid/status")) === 1;
    }
}
