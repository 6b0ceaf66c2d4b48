<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Lease\CrossingTorture;
use Larder\Proof\Lease\Ending;
use Larder\Proof\Lease\EventKind;
use Larder\Proof\Lease\EventLog;
use Larder\Proof\Lease\LeaseKeys;
use Larder\Proof\Lease\LeaseTorture;
use Larder\Proof\Memory\LeasesTorture;
use Larder\Proof\UnguardedStore;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** `script/torture lease` and its like without a guard, and its parts. */
#[CoversClass(LeaseTorture::class)]
#[CoversClass(CrossingTorture::class)]
#[CoversClass(LeasesTorture::class)]
#[CoversClass(UnguardedStore::class)]
#[CoversClass(EventLog::class)]
#[CoversClass(LeaseKeys::class)]
#[CoversClass(Ending::class)]
final class LeaseTortureTest extends TestCase
{
    #[TestWith(['lease'])]
    #[TestWith(['fence'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard): void
    {
        $found = Runs::found('lease', '--seconds=60', '--processes=24', '--stores=memory', "--without=$guard");

        self::assertNotSame([], $found['findings'] ?? []);
    }

    public function testWhoWaitsForItselfIsMissed(): void
    {
        $found = Runs::found('crossing', '--processes=4', '--stores=memory', '--without=marks');

        self::assertNotSame([], $found['findings'] ?? []);
    }

    public function testAStoreThatGivesALeaseToAllIsMissed(): void
    {
        $found = Runs::found('leases', '--processes=8', '--expiries=3', '--stores=memory', '--without=lease');

        self::assertNotSame([], $found['findings'] ?? []);
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        $process = Runs::process('lease', '--stores=none');

        self::assertSame(2, $process->run());
        self::assertStringContainsString('Usage: torture lease', $process->getErrorOutput());
    }

    public function testTheLogTellsWhatIsNew(): void
    {
        $directory = new TemporaryDirectory();
        $log = new EventLog($directory->path . '/log');
        $other = new EventLog($directory->path . '/log');

        self::assertSame([], $log->news());
        $first = $other->note(EventKind::Begun, 1, 2, 3, 'expire', 0.5, 4);
        file_put_contents($directory->path . '/log', 'half a li', FILE_APPEND);
        self::assertEquals([$first], $log->news());
        self::assertSame([], $log->news());
        self::assertEquals([$first], $log->all());
        $directory->remove();
    }

    public function testAValueOfAnotherKeyIsNone(): void
    {
        $value = LeaseKeys::value(3, 7, Ending::Evict);

        self::assertSame(7, LeaseKeys::generation($value, 3));
        self::assertNull(LeaseKeys::generation($value, 4));
        self::assertNull(LeaseKeys::generation(['generation' => 8] + $value, 3));
        self::assertNull(LeaseKeys::generation('generation', 3));
    }

    public function testEveryEndingComes(): void
    {
        mt_srand(1);
        $chosen = [];
        for ($i = 0; $i < 2000; ++$i) {
            $chosen[Ending::choose()->value] = true;
        }
        mt_srand();

        self::assertCount(\count(Ending::cases()) - 1, $chosen);
        self::assertArrayNotHasKey(Ending::Keep->value, $chosen);
    }
}
