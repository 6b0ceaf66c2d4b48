<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Many processes on one key; killed ones among them. */
#[CoversClass(Cache::class)]
final class ProcessesTest extends TestCase
{
    private const PROCESSES = 20;

    /** @return iterable<string, array{string}> */
    public static function shares(): iterable
    {
        yield 'values shared' => ['1'];
        yield 'values copied' => ['0'];
    }

    #[DataProvider('shares')]
    public function testHoweverManyReadOneMakesIt(string $share): void
    {
        $directory = new TemporaryDirectory();
        $process = Extension::process(
            ['larder.share' => $share, 'larder.size' => '16M'],
            __DIR__ . '/processes.php',
            (string) self::PROCESSES,
            $directory->path,
        );
        $process->setTimeout(240);
        $process->run();
        self::assertSame([0, ''], [$process->getExitCode(), $process->getErrorOutput()], $process->getOutput());
        $told = json_decode($process->getOutput(), true);
        self::assertIsArray($told);
        ['expired' => $expired, 'killed in grace' => $killed] = $told;
        unset($told['expired'], $told['killed in grace']);

        self::assertSame([
            'cold' => [1, ['first' => self::PROCESSES]],
            'fresh' => [0, ['second' => self::PROCESSES]],
            'deleted' => [1, ['third' => self::PROCESSES]],
            'changed' => [1, ['fourth' => self::PROCESSES]],
            'killed' => [2, ['by another one' => self::PROCESSES - 1]],
            'afterwards' => 'new',
            'applications' => ['of a', 'of ab', null, null],
            'after a clear' => [null, 'of ab'],
        ], $told);
        // Who came first, the one that made it or those that got the old one, is not told here.
        self::assertIsArray($expired);
        self::assertSame(1, $expired[0]);
        self::assertIsArray($expired[1]);
        self::assertSame(self::PROCESSES, array_sum($expired[1]));
        self::assertSame([], array_diff(array_keys($expired[1]), ['old', 'second']));
        self::assertIsArray($killed);
        self::assertThat(
            $killed[0],
            self::logicalOr(self::identicalTo(1), self::identicalTo(2)),
            'the dead one, and at most one after it',
        );
        self::assertIsArray($killed[1]);
        self::assertSame(self::PROCESSES - 1, array_sum($killed[1]));
        self::assertSame([], array_diff(array_keys($killed[1]), ['old', 'new']));
    }

    public function testALockThatIsNotHadInTimeIsNoReasonForAllToMakeIt(): void
    {
        $directory = new TemporaryDirectory();
        $told = $this->withLateLocks('64M', 'barrier.php', '200', '2', $directory->path);
        $directory->remove();

        self::assertSame('[1,1]', $told);
    }

    public function testNorToLoseWhatWasMade(): void
    {
        $lost = json_decode($this->withLateLocks('2M', 'latelocks.php', '40'), true);
        self::assertIsArray($lost);

        // Without a second try ten and more of each are lost while 40 plain writes are refused.
        self::assertLessThan(5, $lost['one']);
        self::assertLessThan(5, $lost['together']);
    }

    private function withLateLocks(string $size, string $program, string ...$arguments): string
    {
        $process = Extension::process(
            ['larder.lock_timeout' => 1, 'larder.size' => $size, 'error_log' => '/dev/null'],
            __DIR__ . '/' . $program,
            ...$arguments,
        );
        $process->setTimeout(240);
        $process->run();
        self::assertSame('', $process->getErrorOutput());

        return $process->getOutput();
    }
}
