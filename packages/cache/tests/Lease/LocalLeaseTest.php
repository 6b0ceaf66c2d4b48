<?php

declare(strict_types=1);

namespace Larder\Tests\Lease;

use Larder\Lease\LocalLease;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/** What stands in for a store's lease. Two handles on one name are two processes. */
#[CoversClass(LocalLease::class)]
#[Group('without')]
final class LocalLeaseTest extends TestCase
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

    public function testOneHasItUntilItIsReleasedOrItsHolderIsGone(): void
    {
        [$one, $two, $another] = [$this->lease('k'), $this->lease('k'), $this->lease('another')];
        $since = (int) hrtime(true);
        self::assertTrue($one->take($since, 60.0));
        self::assertFalse($two->take($since, 60.0));
        self::assertTrue($another->take($since, 60.0));
        $one->release();
        self::assertTrue($two->take($since, 60.0));

        $two = null;
        self::assertTrue($one->take($since, 60.0), 'the kernel unlocks it with the process');
    }

    public function testWhatWasMadeIsForThoseThatAskedBeforeItsMakerBegan(): void
    {
        [$maker, $early, $late] = [$this->lease('k'), $this->lease('k'), $this->lease('k')];
        $before = (int) hrtime(true);
        $maker->take($before, 60.0);
        $during = (int) hrtime(true);
        $maker->leave("made\0of bytes");
        $maker->release();

        self::assertSame("made\0of bytes", $early->take($before, 60.0));
        self::assertTrue($late->take($during, 60.0), 'it may have been made from data that changed before this asked');
    }

    public function testAMakerThatFailsOrDiesInTheMiddleLeavesNothing(): void
    {
        $since = (int) hrtime(true);
        $this->lease('k')->take($since, 60.0);

        self::assertTrue($this->lease('k')->take($since, 60.0));
    }

    public function testWhoComesWhileTheNextOneMakesItStillGetsWhatWasMadeLast(): void
    {
        $before = (int) hrtime(true);
        [$first, $second] = [$this->lease('k'), $this->lease('k')];
        $first->take($before, 60.0);
        $first->leave('made by the first');
        $first->release();
        $second->take((int) hrtime(true), 60.0);

        self::assertSame('made by the first', $this->lease('k')->take($before, 60.0));
    }

    public function testWhoHoldsItForTooLongLosesIt(): void
    {
        [$hung, $next, $third] = [$this->lease('k'), $this->lease('k'), $this->lease('k')];
        $since = (int) hrtime(true);
        $hung->take($since, 5.0);
        touch($this->file(), time() - 10);
        self::assertFalse($next->take($since, 5.0), 'its name is taken from it');
        self::assertTrue($next->take($since, 5.0));
        $hung->leave('made too late');
        $hung->release();

        self::assertSame('made too late', $third->take($since, 5.0), 'what it makes is good for those that wait');
        self::assertFalse($third->take((int) hrtime(true), 5.0), 'and its release frees nothing of the next one\'s');
    }

    public function testADirectoryThatOthersMayReadIsTakenFromThem(): void
    {
        $own = $this->directory->path . '/larder-' . posix_geteuid();
        mkdir($own);
        chmod($own, 0o755);
        self::assertTrue($this->lease('k')->take((int) hrtime(true), 60.0));
        clearstatcache();

        self::assertSame(0o40700, fileperms($own));
    }

    public function testADirectoryThatOthersMayWriteToIsNotUsed(): void
    {
        $own = $this->directory->path . '/larder-' . posix_geteuid();
        foreach ([0o720, 0o702, 0o777] as $mode) {
            mkdir($own);
            chmod($own, $mode);
            self::assertNull(LocalLease::named('k', $this->directory->path), decoct($mode));
            rmdir($own);
        }
        symlink('/tmp', $own);
        self::assertNull(LocalLease::named('k', $this->directory->path));
        unlink($own);
        touch($own);
        self::assertNull(LocalLease::named('k', $this->directory->path), 'nor what is no directory');
    }

    private function lease(string $name): LocalLease
    {
        $lease = LocalLease::named($name, $this->directory->path);
        self::assertNotNull($lease);

        return $lease;
    }

    private function file(): string
    {
        return (string) ((array) glob($this->directory->path . '/larder-*/*'))[0];
    }
}
