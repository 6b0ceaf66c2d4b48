<?php

declare(strict_types=1);

namespace Larder\Tests\Lease;

use Larder\Page\Lease\FileLeases;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(FileLeases::class)]
final class FileLeasesTest extends TestCase
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

    public function testOneHoldsItUntilItIsReleased(): void
    {
        $lease = $this->leases()->acquire('/news/4');
        self::assertNotNull($lease);
        self::assertNull($this->leases()->acquire('/news/4'));
        self::assertNotNull($this->leases()->acquire('/news/5'));
        $lease->release();
        $lease->release();

        self::assertNotNull($this->leases()->acquire('/news/4'));
    }

    public function testAReleasedLeaseLeavesNoFile(): void
    {
        $this->leases()->acquire('/news/4')?->release();

        self::assertSame(['guard'], $this->directory->files());
    }

    public function testTheLeaseOfAKilledProcessIsFreeAtOnce(): void
    {
        $holder = $this->holder('posix_kill(getmypid(), SIGKILL);');
        pcntl_waitpid($holder, $status);

        self::assertSame(SIGKILL, \is_int($status) ? pcntl_wtermsig($status) : null);
        self::assertNotNull($this->leases()->acquire('/news/4'));
    }

    public function testAHolderThatHangsLosesItAtTheDeadlineAndCannotReleaseItsSuccessors(): void
    {
        $hanging = $this->leases()->acquire('/news/4');
        touch($this->directory->path . '/' . sha1('/news/4'), time() - 11);
        $successor = $this->leases()->acquire('/news/4');
        self::assertNotNull($successor);
        $hanging?->release();

        self::assertNull($this->leases()->acquire('/news/4'));
    }

    public function testALeaseThatCannotBeTakenIsNotTakenForOneThatIsHeld(): void
    {
        touch($this->directory->path . '/file');
        try {
            (new FileLeases($this->directory->path . '/file/lease', 10))->acquire('/news/4');
            self::fail('No exception.');
        } catch (PageStoreFailed $failed) {
            self::assertSame('No such file or directory', $failed->cause);
        }

        mkdir($this->directory->path . '/' . sha1('/news/5'));
        $this->expectException(PageStoreFailed::class);
        $this->leases()->acquire('/news/5');
    }

    public function testOneOfManyWins(): void
    {
        $end = $this->directory->path . '/end';
        $children = [];
        for ($i = 0; $i < 20; ++$i) {
            $children[] = $this->holder(
                'while (!is_file(' . var_export($end, true) . ')) { usleep(1000); clearstatcache(); }',
            );
        }
        $deadline = microtime(true) + 120;
        while (\count($children) > 1 && microtime(true) < $deadline) {
            $children = self::living($children);
            usleep(1000);
        }
        usleep(50_000);
        $left = self::living($children);
        touch($end);
        while (self::living($left) !== []) {
            usleep(1000);
        }

        self::assertCount(1, $children);
        self::assertSame($children, $left, 'The last one holds the lease.');
    }

    /**
     * Of these only: other children of this process may end meanwhile.
     *
     * @param list<int> $children
     *
     * @return list<int>
     */
    private static function living(array $children): array
    {
        return array_values(
            array_filter($children, static fn(int $child): bool => pcntl_waitpid($child, $status, WNOHANG) === 0),
        );
    }

    private function leases(): FileLeases
    {
        return new FileLeases($this->directory->path, 10);
    }

    /** Starts a process that takes the lease of /news/4 and, if it gets it, runs $then. */
    private function holder(string $then): int
    {
        $code = \sprintf(
            'require %s; $lease = (new Larder\Page\Lease\FileLeases(%s, 10))->acquire("/news/4"); '
                . 'if ($lease !== null) { %s }',
            var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true),
            var_export($this->directory->path, true),
            $then,
        );
        $child = pcntl_fork();
        if ($child === 0) {
            pcntl_exec(PHP_BINARY, ['-r', $code]);
            exit(1);
        }

        return $child;
    }
}
