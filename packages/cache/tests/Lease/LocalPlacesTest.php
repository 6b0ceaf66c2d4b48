<?php

declare(strict_types=1);

namespace Larder\Tests\Lease;

use Larder\Lease\LocalDirectory;
use Larder\Lease\LocalPlaces;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

#[CoversClass(LocalPlaces::class)]
#[CoversClass(LocalDirectory::class)]
#[Group('without')]
final class LocalPlacesTest extends TestCase
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

    public function testThereAreAsManyAsWereAskedForAndOneThatIsLeftIsFree(): void
    {
        $places = [];
        for ($i = 0; $i < 3; ++$i) {
            $places[] = LocalPlaces::take(3, $this->directory->path);
        }
        self::assertContainsOnly('resource', $places);
        self::assertFalse(LocalPlaces::take(3, $this->directory->path));
        array_pop($places);
        self::assertIsResource(LocalPlaces::take(3, $this->directory->path));
    }

    public function testNoneOfNone(): void
    {
        self::assertFalse(LocalPlaces::take(0, $this->directory->path));
    }

    public function testADirectoryThatOthersMayWriteToHasNone(): void
    {
        LocalPlaces::take(1, $this->directory->path);
        $own = LocalDirectory::of($this->directory->path) ?? '';
        chmod($own, 0o777);
        clearstatcache();

        self::assertNull(LocalPlaces::take(1, $this->directory->path));
    }
}
