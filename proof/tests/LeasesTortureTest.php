<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Memory\LeasesTorture;
use Larder\Proof\Memory\MemoryTorture;
use Larder\Proof\TortureCommand;
use Larder\Testbed\Process\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** `script/torture leases` in small, and `script/torture memory` for as long as it takes to start. */
#[CoversClass(LeasesTorture::class)]
#[CoversClass(MemoryTorture::class)]
#[CoversClass(Extension::class)]
final class LeasesTortureTest extends TestCase
{
    public function testEveryExpiryIsComputedOnceAndADeadHolderIsFollowed(): void
    {
        $result = self::torture('leases', '--processes=24', '--expiries=60');

        self::assertSame(60, $result['computes'] ?? null, 'computes');
        self::assertSame([], $result['findings'] ?? null);
        self::assertSame(0, $result['leases_held_at_the_end'] ?? null);
        self::assertLessThan(30_000.0, $result['next_after_kill_ms'] ?? null, 'it waited for the end of the lease');
        self::assertGreaterThanOrEqual(300.0, $result['next_after_300_ms_lease_ms'] ?? null);
    }

    public function testKillsAreFoundAndRecovered(): void
    {
        $run = static fn(): array => self::torture('memory', '--seconds=2', '--seed=1');
        $result = Runs::until(['kills_from_outside', 'hits'], $run);

        self::assertSame([], $result['findings'] ?? null);
        self::assertSame(0, $result['wedged'] ?? null);
        self::assertGreaterThan(0, $result['kills_from_outside'] ?? null);
        self::assertGreaterThan(0, $result['hits'] ?? null);
    }

    public function testAMissingExtensionIsSaid(): void
    {
        $this->expectExceptionMessage('There is no /nowhere/larder.so: tools/extension build release makes it.');
        Extension::at('/nowhere/larder.so');
    }

    public function testAFileThatIsNoExtensionIsSaid(): void
    {
        $this->expectExceptionMessage('PHP cannot load ' . __FILE__);
        Extension::at(__FILE__);
    }

    /** @return array<array-key, mixed> */
    private static function torture(string ...$arguments): array
    {
        try {
            Extension::at(null);
        } catch (RuntimeException $exception) {
            self::markTestSkipped('needs the extension: ' . $exception->getMessage());
        }
        $process = new Process(
            [PHP_BINARY, TortureCommand::script(), ...array_values($arguments), '--format=json'],
            timeout: 600,
        );
        $process->run();
        $result = json_decode($process->getOutput(), true);

        return \is_array($result) ? $result : self::fail($process->getOutput() . $process->getErrorOutput());
    }
}
