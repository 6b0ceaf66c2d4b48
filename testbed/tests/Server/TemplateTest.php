<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Server\Template;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(Template::class)]
final class TemplateTest extends ServerTestCase
{
    public function testTheSecondDirectoryIsACopyOfTheFirst(): void
    {
        $this->make('1');
        chmod($this->directory . '/1/file', 0o640);
        $this->make('2');
        self::assertSame('1', file_get_contents($this->directory . '/2/file'), 'It was not installed.');
        file_put_contents($this->directory . '/2/file', 'changed');
        $this->make('3');
        self::assertSame('1', file_get_contents($this->directory . '/3/file'), 'A copy is nobody else\'s.');
        self::assertSame(0o700, fileperms($this->directory . '/3') & 0o777);
    }

    public function testOwnersAreKept(): void
    {
        [$owner, $group] = posix_geteuid() === 0 ? [12345, 12346] : [posix_geteuid(), posix_getegid()];
        $this->template()->copyTo($this->directory . '/1', function () use ($owner, $group): void {
            $this->install('1');
            chown($this->directory . '/1/file', $owner);
            chgrp($this->directory . '/1/file', $group);
        });
        $this->make('2');
        self::assertSame($owner, fileowner($this->directory . '/2/file'));
        self::assertSame($group, filegroup($this->directory . '/2/file'));
    }

    public function testAnotherOptionOrProgramMeansAnotherTemplate(): void
    {
        $program = $this->directory . '/program';
        file_put_contents($program, 'old');
        $this->make('1', [$program]);
        $this->make('2', [$program], ['--option']);
        file_put_contents($program, 'newer');
        clearstatcache();
        $this->make('3', [$program]);
        foreach (['1', '2', '3'] as $name) {
            self::assertSame($name, file_get_contents("{$this->directory}/$name/file"));
        }
    }

    public function testTwoProcessesMakeOneTemplate(): void
    {
        $pool = new WorkerPool(function (int $number): void {
            $this->template()->copyTo("{$this->directory}/$number", function () use ($number): void {
                touch($this->directory . '/begun');
                self::until(fn(): bool => is_file($this->directory . '/go'));
                $this->install((string) $number);
            });
        });
        $pool->start(1);
        self::until(fn(): bool => is_file($this->directory . '/begun'));
        $pool->start(2);
        self::until(fn(): bool => self::waitsForLock($pool->pid(2)) || is_dir($this->directory . '/2'));
        touch($this->directory . '/go');
        foreach ($pool->end(60.0) as $end) {
            self::assertTrue($end->finished, $end->reason());
        }
        self::assertSame('1', file_get_contents($this->directory . '/1/file'));
        self::assertSame('1', file_get_contents($this->directory . '/2/file'));
    }

    public function testAHalfMadeOneIsNotUsed(): void
    {
        $pool = new WorkerPool(fn() => $this->template()->copyTo($this->directory . '/1', function (): void {
            mkdir($this->directory . '/1');
            posix_kill((int) getmypid(), SIGKILL);
        }));
        $pool->start(1);
        $pool->end(60.0);
        // What cp leaves when it is killed.
        $locks = glob($this->directory . '/templates/*.lock');
        self::assertIsArray($locks);
        self::assertCount(1, $locks);
        $unfinished = substr($locks[0], 0, -\strlen('lock')) . 'new';
        mkdir($unfinished);
        touch($unfinished . '/half');

        $this->make('2');
        $this->make('3');
        self::assertSame('2', file_get_contents($this->directory . '/2/file'));
        self::assertSame(['.', '..', 'file'], scandir($this->directory . '/3'));
        self::assertDirectoryDoesNotExist($unfinished);
    }

    public function testWhereInstallingFailsTheNextOneTriesAgain(): void
    {
        try {
            $this->template()->copyTo($this->directory . '/1', static function (): void {
                throw ServerFailed::because('no space left');
            });
            self::fail();
        } catch (ServerFailed $failed) {
            self::assertSame('no space left', $failed->getMessage());
        }
        $this->make('2');
        self::assertFileExists($this->directory . '/2/file');
    }

    public function testWhatCannotBeCopiedIsAnError(): void
    {
        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('/1');
        $this->template()->copyTo($this->directory . '/1', static function (): void {});
    }

    /**
     * @param list<string> $programs
     * @param list<string> $words
     */
    private function template(array $programs = [], array $words = []): Template
    {
        @mkdir($this->directory . '/templates');

        return new Template($programs, $words, $this->directory . '/templates');
    }

    /**
     * @param list<string> $programs
     * @param list<string> $words
     */
    private function make(string $name, array $programs = [], array $words = []): void
    {
        $this->template($programs, $words)->copyTo("{$this->directory}/$name", fn() => $this->install($name));
    }

    private function install(string $name): void
    {
        mkdir("{$this->directory}/$name", 0o700);
        file_put_contents("{$this->directory}/$name/file", $name);
    }

    private static function waitsForLock(?int $pid): bool
    {
        return preg_match("/-> FLOCK .* $pid /", (string) file_get_contents('/proc/locks')) === 1;
    }

    /** @param \Closure(): bool $done */
    private static function until(\Closure $done): void
    {
        for ($try = 0; $try < 10_000 && !$done(); ++$try) {
            usleep(1000);
            clearstatcache();
        }
    }
}
