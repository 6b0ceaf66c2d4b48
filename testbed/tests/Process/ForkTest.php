<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\Process\Signals;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(Fork::class)]
#[CoversClass(Signals::class)]
final class ForkTest extends TestCase
{
    /** By a handler of PHP it would end after its read only, and as who was forked. */
    public function testASignalEndsAForkThatWaitsInARead(): void
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        [$ours, $theirs] = $pair !== false ? $pair : self::fail('No socket.');
        $board = Board::create(['handled' => 1]);
        $signal = Signals::stopDuring(
            static function () use ($board): void {
                $board->add('handled');
            },
            static function () use ($ours, $theirs): int {
                $fork = Fork::start(static function () use ($theirs): void {
                    fwrite($theirs, "waits\n");
                    fgets($theirs);
                });
                self::assertSame("waits\n", fgets($ours));
                posix_kill($fork, SIGTERM);

                return self::ending($fork);
            },
        );

        self::assertSame(SIGTERM, $signal);
        self::assertSame(0, $board->get('handled'));
    }

    public function testNothingOfTheParentRunsInAFork(): void
    {
        $parents = new class (Board::create(['destructed' => 1])) {
            public function __construct(public readonly Board $board) {}

            public function __destruct()
            {
                $this->board->add('destructed');
            }
        };

        self::assertSame(SIGKILL, self::ending(Fork::start(static fn() => null)));
        self::assertSame(SIGKILL, self::ending(Fork::start(static fn() => throw new RuntimeException('no luck'))));
        self::assertSame(0, $parents->board->get('destructed'));
    }

    public function testSignalsThatWereBlockedStayBlockedOnBothSides(): void
    {
        pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1], $before);
        $board = Board::create(['blocked' => 1]);
        $fork = Fork::start(static fn() => $board->set('blocked', self::blocked() === [SIGUSR1] ? 1 : 2));
        self::ending($fork);
        $blocked = self::blocked();
        pcntl_sigprocmask(SIG_SETMASK, \is_array($before) ? $before : []);

        self::assertSame([[SIGUSR1], 1], [$blocked, $board->get('blocked')]);
    }

    /** Or the next test would still stop what an earlier one had started. */
    public function testASignalDoesAfterwardsWhatItDidBefore(): void
    {
        $own = static fn(int $signal): null => null;
        pcntl_signal(SIGHUP, $own);
        $wasAsync = pcntl_async_signals(false);
        $seen = [];
        $said = Signals::handleDuring(
            static function (int $signal) use (&$seen): void {
                $seen[] = $signal;
            },
            static function (): string {
                posix_kill((int) getmypid(), SIGTERM);
                posix_kill((int) getmypid(), SIGHUP);

                return 'done';
            },
        );
        $after = [pcntl_async_signals($wasAsync), pcntl_signal_get_handler(SIGTERM), pcntl_signal_get_handler(SIGHUP)];
        pcntl_signal(SIGHUP, SIG_DFL);
        sort($seen);

        self::assertSame(['done', [SIGHUP, SIGTERM]], [$said, $seen]);
        self::assertSame([false, SIG_DFL, $own], $after);
    }

    public function testASignalDoesWhatItDidBeforeAlsoAfterAFailure(): void
    {
        $said = '';
        try {
            Signals::handleDuring(static fn(int $signal): null => null, static function () use (&$said): void {
                $said = 'begun';

                throw new RuntimeException('no luck');
            });
        } catch (RuntimeException $exception) {
            $said .= ', ' . $exception->getMessage();
        }

        self::assertSame(['begun, no luck', SIG_DFL], [$said, pcntl_signal_get_handler(SIGTERM)]);
    }

    /** A fork made otherwise has the handlers of who made it. A program that is no class has none of its own. */
    public function testNoClassForksInAnotherWay(): void
    {
        $root = \dirname(__DIR__, 3);
        $found = [];
        foreach ((array) glob("$root/{app,bench,packages/*,proof,testbed,.}/{src,tests}", GLOB_BRACE) as $part) {
            exec("grep -rlF 'pcntl_fork(' --include='[A-Z]*.php' " . escapeshellarg((string) $part), $found);
        }
        $names = array_map(basename(...), $found);
        sort($names);

        self::assertSame([
            // It becomes another program at once, which has no handlers.
            'FileLeasesTest.php',
            'Fork.php',
            'ForkTest.php',
        ], $names);
    }

    /** @return int the signal that ended it */
    private static function ending(int $fork): int
    {
        pcntl_waitpid($fork, $status);

        return \is_int($status) && pcntl_wifsignaled($status) ? (int) pcntl_wtermsig($status) : 0;
    }

    /** @return array<mixed> */
    private static function blocked(): array
    {
        pcntl_sigprocmask(SIG_BLOCK, [], $blocked);

        return \is_array($blocked) ? $blocked : [];
    }
}
