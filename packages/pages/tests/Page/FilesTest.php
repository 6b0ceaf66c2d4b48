<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Page\Files;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

#[CoversClass(Files::class)]
final class FilesTest extends TestCase
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

    public function testWritesUnderANameThatMustNotExist(): void
    {
        $path = $this->directory->path . '/a';
        (new Files())->write($path, 'one');

        self::assertSame('one', (new Files())->read($path)['bytes'] ?? null);
        $this->expectException(PageStoreFailed::class);
        (new Files())->write($path, 'two');
    }

    public function testARenameOfAFileThatIsGoneIsNoError(): void
    {
        self::assertFalse((new Files())->rename($this->directory->path . '/a', $this->directory->path . '/b'));
    }

    public function testAnUnlinkOfAFileThatIsGoneIsNoError(): void
    {
        (new Files())->unlink($this->directory->path . '/a');
        (new Files())->unlink($this->directory->path . '/a/b');

        self::assertSame([], $this->directory->files());
    }

    /** @return iterable<string, array{Closure(Files, string): mixed}> */
    public static function failures(): iterable
    {
        yield 'unlink of a directory' => [
            static fn(Files $files, string $path) => $files->unlink($path . '/directory'),
        ];
        yield 'rename onto a directory' => [
            static fn(Files $files, string $path) => $files->rename($path . '/file', $path . '/directory'),
        ];
        yield 'a directory below a file' => [
            static fn(Files $files, string $path) => $files->makeDirectory($path . '/file/a'),
        ];
        yield 'a file below a file' => [
            static fn(Files $files, string $path) => $files->write($path . '/file/a', ''),
        ];
        yield 'a stamp below nothing' => [
            static fn(Files $files, string $path) => $files->stamp($path . '/none/a', 5),
        ];
        yield 'a stamp of nothing' => [
            static fn(Files $files, string $path) => $files->stamp($path . '/none', 5),
        ];
        yield 'a list of a file' => [static fn(Files $files, string $path) => $files->entries($path . '/file')];
        yield 'a pointer below nothing' => [
            static fn(Files $files, string $path) => $files->point($path . '/none/a', 'b'),
        ];
    }

    /** @param Closure(Files, string): mixed $do */
    #[DataProvider('failures')]
    public function testEveryOtherFailureIsThrownAndNamesThePath(Closure $do): void
    {
        mkdir($this->directory->path . '/directory');
        file_put_contents($this->directory->path . '/file', 'x');

        $this->expectException(PageStoreFailed::class);
        $this->expectExceptionMessage($this->directory->path);
        $do(new Files(), $this->directory->path);
    }

    public function testAStampOfAFileThatIsGoneMakesNoEmptyFile(): void
    {
        try {
            (new Files())->stamp($this->directory->path . '/a', 5);
            self::fail('No exception.');
        } catch (PageStoreFailed $failed) {
            self::assertSame('No such file or directory', $failed->cause);
        }
        self::assertSame([], $this->directory->files());
    }

    public function testARenameMakesTheDirectoryThatAnotherOneRemoved(): void
    {
        file_put_contents($this->directory->path . '/a', 'x');

        self::assertTrue((new Files())->rename($this->directory->path . '/a', $this->directory->path . '/b/c/d'));
        self::assertSame(['b/c/d'], $this->directory->files());
    }

    public function testADirectoryOutsideOfOpenBasedirIsAnErrorAndNoEndlessRecursion(): void
    {
        $make = 'require ' . var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true) . ';'
            . ' try { (new Larder\Page\Files())->makeDirectory("/srv/larder-test/x/y"); }'
            . ' catch (Larder\Sql\Exception\PageStoreFailed $failed) { echo $failed->getMessage(); }';
        $limits = ['-d', 'open_basedir=' . \dirname(__DIR__, 4), '-d', 'memory_limit=64M'];
        $process = new Process([PHP_BINARY, ...$limits, '-r', $make]);

        self::assertSame(0, $process->run(), $process->getErrorOutput());
        self::assertStringContainsString('/srv/larder-test/x/y: mkdir(): open_basedir', $process->getOutput());
    }

    /** A limit on the size of files stands for a full disk: the write is short in the same way. */
    public function testAShortWriteLeavesNothingBehind(): void
    {
        $write = 'require ' . var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true) . ';'
            . ' try { (new Larder\Page\Files())->write($argv[1], str_repeat("x", 1 << 20)); }'
            . ' catch (Larder\Sql\Exception\PageStoreFailed $failed) { echo $failed->getMessage(); }';
        $limited = 'trap "" XFSZ; ulimit -f 64; exec "$@"';
        $path = $this->directory->path . '/a';
        $process = new Process(['sh', '-c', $limited, 'sh', PHP_BINARY, '-r', $write, '--', $path]);

        self::assertSame(0, $process->run(), $process->getErrorOutput());
        self::assertStringContainsString("write all of $path", $process->getOutput());
        self::assertSame([], $this->directory->files());
    }

    public function testPointsInOneStep(): void
    {
        $files = new Files();
        $link = $this->directory->path . '/current';
        $files->point($link, 'r/1');
        $files->point($link, 'r/2');

        self::assertSame('r/2', readlink($link));
    }
}
