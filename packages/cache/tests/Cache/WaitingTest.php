<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache\Claim;
use Larder\Cache\Settings;
use Larder\Cache\Waiting;
use Larder\Lease\LocalLease;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Many processes that ask for one value: who makes it, who waits, and for how long. */
#[CoversClass(Claim::class)]
#[CoversClass(Waiting::class)]
#[CoversClass(LocalLease::class)]
final class WaitingTest extends TestCase
{
    private const READERS = 20;

    /** @return iterable<string, array{string, string|null}> */
    public static function stores(): iterable
    {
        yield 'shared memory' => ['shared memory', null];
        yield 'memcached' => ['memcached', 'memcached'];
        yield 'redis' => ['redis', 'redis-server'];
        yield 'sealed' => ['sealed', 'redis-server'];
        yield 'tier' => ['tier', 'memcached'];
    }

    #[DataProvider('stores')]
    public function testOneMakesItTheOthersWaitAsLongAsItIsMadeAndNobodyForWhatCannotBeStored(
        string $store,
        ?string $server,
    ): void {
        if ($server !== null && Program::find($server) === null) {
            self::markTestSkipped("needs $server");
        }
        $told = $this->rounds($store);
        $all = ['value' => self::READERS];
        $others = self::READERS - 1;

        self::assertNull((new Settings())->wait, 'the default, with which one makes it, however long that takes:');
        [$computes, , $inVain, $values] = $told['slow'];
        self::assertSame([1, 0, $all], [$computes, $inVain, $values]);
        self::assertSame(
            [1, $others, $others, ['not made in time' => $others, 'value' => 1]],
            self::sorted($told['bounded']),
            'a bound that the caller gives ends the wait all the same',
        );
        [$computes, , $inVain, $values] = self::sorted($told['killed']);
        self::assertSame(
            [2, 0, ['died of signal 9' => 1, 'value' => $others]],
            [$computes, $inVain, $values],
            'after a killed one exactly one of the others makes it',
        );
        self::assertSame(
            [self::READERS, 0, 0, $all],
            $told['gate'],
            'behind the gate of a dead writer all make it at once, as without a cache',
        );
        [$computes, $waits, , $values] = $told['moving'];
        self::assertSame([5 * self::READERS, $all], [$computes, $values]);
        $most = self::READERS * $told['first ones'][0];
        self::assertLessThanOrEqual($most, $waits, 'nobody waits but for the first compute');
        foreach ([2, 3, 5] as $count) {
            [$inner, , , $values] = $told["ring of $count"];
            self::assertSame(['made of an inner one' => $count], $values);
            self::assertGreaterThan(0, $inner);
            self::assertLessThanOrEqual($count, $inner, 'those that close it at once do not wait, and nobody else');
        }
        [$inner, , , $values] = $told['star'];
        self::assertSame([1, ['made of an inner one' => self::READERS]], [$inner, $values]);
        if ($server === null) {
            return;
        }
        [$inner, , , $values] = $told['ring of 3 without the server'];
        self::assertSame(['made of an inner one' => 3], $values);
        self::assertLessThanOrEqual(3, $inner);
        [$computes, , $inVain, $values] = $told['late'];
        self::assertSame([$others, $all], [$inVain, $values]);
        self::assertLessThan(self::READERS / 2, $computes, 'one makes it late, and others take what it made');
        $computes = $told['late at once'][0];
        self::assertGreaterThan(1, $computes, 'the slow one and one of those that waited in vain');
        // On a busy machine that one may be slow as well, and one of those that wait for it is the next.
        self::assertLessThan(self::READERS / 2, $computes);
        [$computes, , , $values] = $told['outage'];
        self::assertSame($all, $values);
        // One while the server was gone, one after it; on a busy machine somebody may come between the two.
        self::assertLessThan(self::READERS / 2, $computes);
        [$computes, $waits, , $values] = $told['outage without a place'];
        self::assertSame([self::READERS, 0, $all], [$computes, $waits, $values], 'and all where no lease can be had');
    }

    /**
     * @return array<string, array{int, int, int, array<string, int>}> computes, waits, waits in vain, and processes by
     *     what they got
     */
    private function rounds(string $store): array
    {
        $directory = new TemporaryDirectory();
        $process = Extension::process(
            ['larder.size' => '16M', 'sys_temp_dir' => $directory->path],
            __DIR__ . '/waiting.php',
            $store,
        );
        $process->setTimeout(240);
        $process->run();
        $directory->remove();
        self::assertSame([0, ''], [$process->getExitCode(), $process->getErrorOutput()], $process->getOutput());
        /** @var array<string, array{int, int, int, array<string, int>}> $told */
        $told = json_decode($process->getOutput(), true, flags: JSON_THROW_ON_ERROR);

        return $told;
    }

    /**
     * @param array{int, int, int, array<string, int>} $round
     *
     * @return array{int, int, int, array<string, int>}
     */
    private static function sorted(array $round): array
    {
        ksort($round[3]);

        return $round;
    }
}
