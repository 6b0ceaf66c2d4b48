<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Discovery\FileServers;
use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(FileServers::class)]
#[CoversClass(InvalidServer::class)]
#[CoversClass(NoServersFound::class)]
final class FileServersTest extends TestCase
{
    private TemporaryDirectory $directory;
    private string $path;
    private TestLog $log;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->path = $this->directory->path . '/servers';
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testItReadsALineForEachServer(): void
    {
        $this->place("# our servers\n\n  b:11211\t 2 # the big one\r\nunix:/run/m.sock\n[::1]:11211 1000");

        self::assertSame(
            ['[::1]:11211' => 1000, 'b:11211' => 2, 'unix:/run/m.sock' => 1],
            (new FileServers($this->path))->servers(),
        );
    }

    public function testItSeesANewFileAtOnce(): void
    {
        $servers = new FileServers($this->path, $this->log);
        foreach (['a:11211', 'b:11211', 'c:11211', 'a:11211'] as $server) {
            // Same length, same second: only the inode tells.
            $this->place($server);
            self::assertSame([$server => 1], $servers->servers());
        }
        foreach (['b:11211', 'c:11211'] as $server) {
            // Same inode as well.
            file_put_contents($this->path, $server);
            self::assertSame([$server => 1], $servers->servers());
        }
        self::assertSame([], $this->log->lines());
    }

    /** @return iterable<string, array{string, string}> */
    public static function damages(): iterable
    {
        yield 'empty' => ['', 'Name at least one'];
        yield 'comments only' => ["# nobody\n", 'Name at least one'];
        yield 'no server' => ["a\nb:x\n", 'line 2: "b:x" is not a server'];
        yield 'a weight too many' => ["a 1 2\n", 'line 1: There are 3 words'];
        yield 'no weight' => ["a heavy\n", 'line 1: The weight of a is "heavy"'];
        yield 'twice' => ["a\nb\na 2\n", 'line 3: a is in the list twice'];
        yield 'bytes' => ["\x80\x00\xff", 'is not a server'];
    }

    #[DataProvider('damages')]
    public function testADamagedFileKeepsTheLastGoodListAndLogsOnce(string $text, string $reason): void
    {
        $this->place('good:11211 3');
        $servers = new FileServers($this->path, $this->log);
        $servers->servers();
        $this->place($text);

        self::assertSame(['good:11211' => 3], $servers->servers());
        self::assertSame(['good:11211' => 3], $servers->servers());
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString($this->path, $this->log->lines()[0]);
        self::assertStringContainsString($reason, $this->log->lines()[0]);
        $this->place('better');
        self::assertSame(['better' => 1], $servers->servers());
    }

    #[DataProvider('damages')]
    public function testADamagedFileAtTheStartIsAMistake(string $text, string $reason): void
    {
        $this->place($text);
        $this->expectException(InvalidServer::class);
        $this->expectExceptionMessage($reason);
        (new FileServers($this->path))->servers();
    }

    public function testAFileThatGoesKeepsTheLastGoodList(): void
    {
        $this->place('good');
        $servers = new FileServers($this->path, $this->log);
        $servers->servers();
        unlink($this->path);

        self::assertSame(['good' => 1], $servers->servers());
        self::assertSame(['good' => 1], $servers->servers());
        self::assertCount(1, $this->log->lines());
        $this->place('back');
        self::assertSame(['back' => 1], $servers->servers());
    }

    public function testNoFileAtTheStart(): void
    {
        $this->expectException(NoServersFound::class);
        $this->expectExceptionMessage('It should hold a line "host:port weight" for each server');
        (new FileServers($this->path))->servers();
    }

    private function place(string $text): void
    {
        file_put_contents($this->path . '.new', $text);
        rename($this->path . '.new', $this->path);
    }
}
