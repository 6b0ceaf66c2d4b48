<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Follow;

use InvalidArgumentException;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Follow\FollowedSite;
use Larder\Bench\Workload\Follow\Following;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Program;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** A real database, site and follower, in small. */
#[CoversClass(FollowedSite::class)]
#[CoversClass(Following::class)]
#[CoversClass(Program::class)]
final class FollowingTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('lf');
        chmod($this->directory->path, 0o755);
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** @return iterable<string, array{string}> */
    public static function databases(): iterable
    {
        yield 'MariaDB' => ['mariadb'];
        yield 'PostgreSQL' => ['postgresql'];
    }

    #[DataProvider('databases')]
    public function testEveryChangeEndsItsPageAlsoBesideOtherTransactions(string $database): void
    {
        $measured = (new Following(false))->measure(
            $this->job(['database' => $database, 'changes' => 4, 'rate' => 50]),
            self::follower(),
        );

        self::assertSame(
            [4, 4, 4],
            [$measured->window->operations, $measured->latency->count(), $measured->coverage?->checked],
        );
        self::assertGreaterThanOrEqual($measured->extra['p50, ms'], $measured->extra['p99, ms']);
        self::assertGreaterThan(0.0, $measured->extra['transactions beside, per second']);
    }

    #[DataProvider('databases')]
    public function testEveryEventIsWorkedOff(string $database): void
    {
        $measured = (new Following(true))->measure(
            $this->job(['database' => $database, 'events' => 2000]),
            self::follower(),
        );

        self::assertSame([2000, 0], [$measured->window->operations, $measured->window->errors]);
        self::assertGreaterThanOrEqual(1.0, $measured->extra['work']);
        self::assertSame(0.0, $measured->extra['failures']);
        self::assertGreaterThanOrEqual($measured->extra['memory after, MB'], $measured->extra['memory at most, MB']);
        self::assertGreaterThan(0.0, $measured->extra['memory before, MB']);
    }

    public function testADatabaseWithoutALogIsRefused(): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Following(true))->measure($this->job(['database' => 'sqlite']), self::follower());
    }

    public function testOtherSubjectsFollowNoLog(): void
    {
        self::assertNull((new Following(true))->refuses(self::follower()));
        self::assertSame('follows no log', (new Following(true))->refuses(Catalogue::standard()->get('noop')));
    }

    private static function follower(): Definition
    {
        return (new Catalogue(Following::subjects()))->get('follower');
    }

    /** @param array<string, int|string> $parameters */
    private function job(array $parameters): Job
    {
        return new Job('follow', 'follower', $parameters, 0.1, 0, 1, [], $this->directory->path, 'bench:');
    }
}
