<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use ArrayObject;
use Larder\Page\DirectoryIdentity;
use Larder\Page\Files;
use Larder\Page\Machine;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

#[CoversClass(DirectoryIdentity::class)]
#[CoversClass(Machine::class)]
final class DirectoryIdentityTest extends TestCase
{
    private const PROCESSES = 20;

    private const ROUNDS = 10;

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder', '/dev/shm');
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** Each process waits at a line for all others, and makes one directory's identity after the other. */
    public function testOfManyProcessesThatMakeItOneWins(): void
    {
        $code = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            echo "ready\n";
            fgets(STDIN);
            for ($round = 0; $round < $argv[3]; ++$round) {
                echo (new Larder\Page\DirectoryIdentity(
                    "$argv[2]/$round/pages",
                    new Larder\Page\Files(),
                    Larder\Page\Machine::here(),
                ))->make(), "\n";
            }
            PHP;
        $command = [PHP_BINARY, '-r', $code, '--', \dirname(__DIR__, 4), $this->directory->path, self::ROUNDS];
        $processes = $pipes = $said = [];
        for ($number = 0; $number < self::PROCESSES; ++$number) {
            $process = proc_open(array_map(strval(...), $command), [['pipe', 'r'], ['pipe', 'w']], $pipes[$number]);
            self::assertIsResource($process);
            $processes[] = $process;
        }
        foreach ($pipes as [, $out]) {
            self::assertSame("ready\n", fgets($out));
        }
        foreach ($pipes as [$in]) {
            fwrite($in, "go\n");
        }
        foreach ($pipes as [, $out]) {
            $said[] = explode("\n", trim((string) stream_get_contents($out)));
        }
        self::assertSame(array_fill(0, self::PROCESSES, 0), array_map(proc_close(...), $processes));
        self::assertCount(1, array_unique($said, SORT_REGULAR));
        foreach ($said[0] as $round => $identity) {
            self::assertMatchesRegularExpression('/^[0-9a-z]{16}$/D', $identity);
            $pages = "{$this->directory->path}/$round/pages";
            self::assertSame(['.', '..', 'identity'], scandir($pages));
            self::assertSame([$identity . "\n", 0o444], [
                file_get_contents("$pages/identity"), fileperms("$pages/identity") & 0o777,
            ]);
        }
        self::assertCount(self::ROUNDS, array_unique($said[0]));
    }

    public function testAnotherDirectoryOfTheSameMachineIsNotTakenForIt(): void
    {
        $first = $this->of('first');
        $identity = $first->make();
        self::assertTrue($first->mayBe($identity));
        self::assertFalse($this->of('second')->mayBe($identity), 'It is not there.');
        mkdir($this->directory->path . '/second');
        self::assertFalse($this->of('second')->mayBe($identity), 'It is empty.');
        self::assertNotSame($identity, $this->of('second')->make());
        self::assertFalse($this->of('second')->mayBe($identity), 'It has its own.');
    }

    public function testADirectoryThatWasEmptiedIsTheSame(): void
    {
        $identity = $this->of('pages')->make();
        unlink($this->directory->path . '/pages/identity');
        self::assertTrue($this->of('pages')->mayBe($identity));
        self::assertFalse($this->of('pages', new Machine('', 'another boot'))->mayBe($identity));
        self::assertFalse($this->of('pages', new Machine('', ''))->mayBe($identity));
        self::assertNotSame($identity, $this->of('pages')->make());
        self::assertFalse($this->of('pages')->mayBe($identity), 'Another site has begun anew there.');
    }

    /** @return iterable<string, array{Machine, Machine, bool}> maker, of an empty one, whether it may go on */
    public static function boots(): iterable
    {
        yield 'the same machine, another boot' => [new Machine('a', '1'), new Machine('a', '2'), true];
        yield 'the same machine and boot' => [new Machine('a', '1'), new Machine('a', '1'), false];
        yield 'another machine' => [new Machine('a', '1'), new Machine('b', '2'), false];
        yield 'a container of that machine' => [new Machine('a', '1'), new Machine('', '1'), false];
        yield 'a container of another' => [new Machine('a', '1'), new Machine('', '2'), false];
        yield 'a container, and its machine' => [new Machine('', '1'), new Machine('a', '2'), false];
        yield 'two containers' => [new Machine('', '1'), new Machine('', '2'), false];
        yield 'no boot is known' => [new Machine('a', ''), new Machine('a', ''), false];
        yield 'no boot is known any more' => [new Machine('a', '1'), new Machine('a', ''), false];
    }

    #[DataProvider('boots')]
    public function testWhatWasInMemoryIsGoneAfterABoot(Machine $maker, Machine $now, bool $isGone): void
    {
        $identity = $this->of('pages', $maker)->make();
        rename($this->directory->path . '/pages', $this->directory->path . '/elsewhere');
        self::assertSame($isGone, $this->of('pages', $now)->mayBe($identity));
    }

    /** Random letters are never those of a machine, a boot or a directory. */
    public function testWhatIsNotKnownLooksLikeNothingThatIs(): void
    {
        for ($number = 0; $number < 40; ++$number) {
            $unknown = $this->of("unknown/$number", new Machine('', ''))->make();
            self::assertMatchesRegularExpression('/^.{4}(?:[i-z].{3}){3}$/', $unknown);
            $known = $this->of("known/$number", new Machine("a $number", "boot $number"))->make();
            self::assertMatchesRegularExpression('/^.{4}(?:[0-9a-h].{3}){3}$/', $known);
        }
    }

    public function testWhatIsOnADiskOutlivesABoot(): void
    {
        $files = self::createStub(Files::class);
        $files->method('kind')->willReturn('ext4');
        /** @var ArrayObject<int, string> $kept */
        $kept = new ArrayObject();
        $files->method('keep')->willReturnCallback(static fn(string $path, string $bytes) => $kept->append($bytes));
        $files->method('read')->willReturnCallback(
            static fn(): ?array => \count($kept) === 0 ? null : ['bytes' => $kept[0], 'mtime' => 0],
        );
        $identity = (new DirectoryIdentity('/srv/pages', $files, new Machine('a', '1')))->make();
        self::assertSame(["$identity\n"], $kept->getArrayCopy());
        self::assertFalse($this->of('pages', new Machine('a', '2'))->mayBe($identity));
    }

    /** The name of a machine was there before directories had an identity. */
    public function testALedgerOfBeforeIsKnownByTheMachine(): void
    {
        self::assertTrue($this->of('pages', new Machine('', '', 'abc'))->mayBe('abc'));
        self::assertFalse($this->of('pages', new Machine('', '', 'abc'))->mayBe('abd'));
        self::assertFalse($this->of('pages', new Machine('', ''))->mayBe(''));
        $id = trim((string) @file_get_contents('/etc/machine-id'));
        self::assertSame($id !== '', Machine::here()->wasCalled(hash('xxh64', $id)));
    }

    public function testWhatIsNoIdentityIsRefused(): void
    {
        mkdir($this->directory->path . '/pages');
        file_put_contents($this->directory->path . '/pages/identity', 'none');
        self::assertSame('', $this->of('pages')->read());
        $this->expectException(PageStoreFailed::class);
        $this->of('pages')->make();
    }

    public function testNoneIsMadeWhereOtherHostsCanHaveTheDirectory(): void
    {
        $files = self::createStub(Files::class);
        $files->method('kind')->willReturn('nfs4');
        $this->expectException(PageStoreFailed::class);
        $this->expectExceptionMessage('(nfs4)');
        (new DirectoryIdentity('/srv/pages', $files, new Machine('', '')))->make();
    }

    public function testWhoMayNotWriteToTheDirectoryMakesNone(): void
    {
        $code = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            posix_getuid() === 0 && posix_setgid(65534) && posix_setuid(65534);
            $identity = new Larder\Page\DirectoryIdentity(
                $argv[2],
                new Larder\Page\Files(),
                Larder\Page\Machine::here(),
            );
            echo $identity->read(), '|', json_encode($identity->mayBe('0123456789abcdef')), '|';
            try {
                $identity->make();
            } catch (Larder\Sql\Exception\PageStoreFailed $failed) {
                echo $failed->cause;
            }
            PHP;
        $pages = $this->directory->path . '/pages';
        mkdir($pages, 0o555);
        chmod($this->directory->path, 0o755);
        $process = new Process([PHP_BINARY, '-r', $code, '--', \dirname(__DIR__, 4), $pages]);
        self::assertSame('|false|Permission denied', $process->mustRun()->getOutput());
    }

    private function of(string $name, ?Machine $machine = null): DirectoryIdentity
    {
        return new DirectoryIdentity(
            $this->directory->path . '/' . $name,
            new Files(),
            $machine ?? new Machine('', 'this boot'),
        );
    }
}
