<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\Exception\CodeFailed;
use Larder\Code\LocalDirectory;
use Larder\Code\Puller;
use Larder\Testbed\Process\Fork;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(LocalDirectory::class)]
#[CoversClass(Puller::class)]
final class KilledTest extends TestCase
{
    public function testAPullThatIsKilledAtAnyStepDoesNoHarm(): void
    {
        $shop = new Shop();
        $shop->write(['a' => random_bytes(1_500_000), 'b.php' => '1', 'c/d.php' => '1'])->push('r1');
        $shop->puller()->pull();
        $releases = $shop->releases();
        $releases->switchTo('r1');
        $shop->write(['a' => random_bytes(1_500_000), 'b.php' => '2', 'c/d.php' => '2'])->push('r2');
        $steps = 0;
        $killed = [];
        do {
            $child = Fork::start(static function () use ($shop, $steps): void {
                $left = $steps;
                $shop->puller()->pull(static function (string $step) use (&$left): void {
                    if ($left-- === 0) {
                        posix_kill((int) getmypid(), SIGKILL);
                    }
                });
                posix_kill((int) getmypid(), SIGTERM);
            });
            pcntl_waitpid($child, $status);
            self::assertIsInt($status);
            $wasKilled = pcntl_wtermsig($status) === SIGKILL;
            $killed[] = $wasKilled;
            ++$steps;
            self::assertSame('r1', $releases->current());
            self::assertStringEqualsFile($releases->directory . '/current/b.php', '1');
            if ($releases->has('r2')) {
                foreach ($releases->manifest('r2')->files as $file) {
                    $path = $releases->path('r2') . '/' . $file->path;
                    self::assertSame($file->hash, hash_file('sha256', $path), "$path after step $steps");
                }
            }
        } while ($wasKilled && $steps < 50);
        self::assertGreaterThan(6, array_sum($killed));
        $shop->puller()->pull();
        self::assertSame('r2', $releases->state()->release);
        $releases->switchTo('r2');
        self::assertStringEqualsFile($releases->directory . '/current/c/d.php', '2');
        $shop->remove();
    }

    /** As on a full disk, for who cannot mount one: a file may have 100,000 bytes. */
    #[TestWith([true, 'releases/.part-r2/src/large.bin: File too large'])]
    #[TestWith([false, 'packs/'])]
    public function testAFileThatHasNoRoomIsNamed(bool $packsWell, string $name): void
    {
        $shop = new Shop();
        $shop->write(['a.php' => '1'])->push('r1');
        $shop->puller()->pull();
        $releases = $shop->releases();
        $releases->switchTo('r1');
        $large = $packsWell ? str_repeat('x', 500_000) : random_bytes(500_000);
        $shop->write(['a.php' => '2', 'src/large.bin' => $large, 'z.php' => ''])->push('r2');
        $said = $shop->directory->path . '/said';
        $child = Fork::start(static function () use ($shop, $said): void {
            try {
                pcntl_signal(SIGXFSZ, SIG_IGN);
                posix_setrlimit(POSIX_RLIMIT_FSIZE, 100_000, 100_000);
                $shop->puller()->pull();
            } catch (CodeFailed $failure) {
                file_put_contents($said, $failure->getMessage());
            }
        });
        pcntl_waitpid($child, $status);
        self::assertStringContainsString($name, (string) @file_get_contents($said));
        self::assertStringContainsString('File too large', (string) @file_get_contents($said));
        self::assertSame('r1', $releases->current());
        self::assertSame(['r1'], LocalDirectory::names($releases->directory . '/releases'));
        self::assertSame([], glob($releases->directory . '/packs/*.*'));
        $shop->puller()->pull();
        self::assertStringEqualsFile($releases->path('r2') . '/src/large.bin', $large);
        $shop->remove();
    }
}
