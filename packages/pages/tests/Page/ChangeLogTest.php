<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Dependency\Name;
use Larder\Page\ChangeLog;
use Larder\Page\SlowRenders;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ChangeLog::class)]
#[CoversClass(SlowRenders::class)]
final class ChangeLogTest extends TestCase
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

    public function testTellsTheLastChangesFirstWithNamesAndPages(): void
    {
        $log = $this->log();
        $log->note(self::change(['news:4', 'news'], ['/news/4', '/']), 'POST /edit/4');
        $log->note(self::change(['news:5'], null), 'larder deploy');

        [$last, $first] = $log->recent(10);
        self::assertSame(['larder deploy', 'all', null], [$last['by'], $last['cause'], $last['pages']]);
        self::assertSame(
            ['POST /edit/4', 'rows', ['news:4', 'news'], ['/news/4', '/']],
            [$first['by'], $first['cause'], $first['names'], $first['pages']],
        );
        self::assertSame(1_000_000.5, $first['at']);
        self::assertCount(1, $log->recent(1));
    }

    public function testFindsChangesByNamePageOrWriter(): void
    {
        $log = $this->log();
        $log->note(self::change(['news:4'], ['/news/4']), 'POST /edit/4');
        $log->note(self::change(['comment:7'], ['/news/5']), 'import');

        self::assertSame(['import'], array_column($log->recent(9, 'comment:'), 'by'));
        self::assertSame(['import'], array_column($log->recent(9, '/news/5'), 'by'));
        self::assertSame(['POST /edit/4'], array_column($log->recent(9, 'edit'), 'by'));
        self::assertSame([], $log->recent(9, 'none'));
    }

    public function testOfALargeChangeTheRestIsANumber(): void
    {
        $names = array_map(static fn(int $id): string => "news:$id", range(1, 30));
        $this->log()->note(self::change($names, array_map(static fn(int $id): string => "/$id", range(1, 70))), 'x');
        [$note] = $this->log()->recent(1);

        self::assertSame([20, 10, 50], [\count($note['names']), $note['more_names'], $note['more_pages']]);
        self::assertCount(20, $note['pages'] ?? []);
    }

    public function testTheFileIsBounded(): void
    {
        $log = new ChangeLog($this->directory->path . '/changes', new SteppedClock(), 5000);
        for ($change = 0; $change < 200; ++$change) {
            $log->note(self::change(["news:$change"], []), 'x');
            self::assertLessThanOrEqual(5000, filesize($this->directory->path . '/changes'));
        }
        self::assertSame(['news:199'], $log->recent(1)[0]['names']);
    }

    public function testCauses(): void
    {
        self::assertSame('bulk', ChangeLog::cause(new AnnouncedChange([Name::all('news')], ['/'])));
        self::assertSame('room', ChangeLog::cause(new AnnouncedChange([], ['/'])));
        self::assertSame('all', ChangeLog::cause(new AnnouncedChange([], null)));
    }

    public function testADamagedLineIsNoChange(): void
    {
        $this->log()->note(self::change(['news:4'], []), 'x');
        file_put_contents($this->directory->path . '/changes', "{\"at\": \"x\"}\n{\n[]\n{\"at\": 1}\n", FILE_APPEND);

        self::assertSame([[], ['news:4']], array_column($this->log()->recent(9), 'names'));
    }

    public function testTheSlowestRendersOfADayAreKeptOnceAPage(): void
    {
        $slow = new SlowRenders($this->directory->path . '/slow');
        $slow->note('/a', 'A', 0.2, 1000);
        $slow->note('/b', 'B', 0.5, 1000);
        $slow->note('/a', 'A', 0.7, 1010);
        $slow->note('/a', 'A', 0.1, 1020);

        self::assertSame([
            ['page' => '/a', 'route' => 'A', 'seconds' => 0.7, 'at' => 1010],
            ['page' => '/b', 'route' => 'B', 'seconds' => 0.5, 'at' => 1000],
        ], $slow->slowest(1030));
        self::assertSame(['/a'], array_column($slow->slowest(1005 + 86400), 'page'));
    }

    public function testOfManyRendersOnlyTheSlowestAreKept(): void
    {
        $slow = new SlowRenders($this->directory->path . '/slow');
        for ($page = 0; $page < 120; ++$page) {
            $slow->note("/$page", 'A', $page / 100, 1000);
        }

        self::assertSame(
            array_map(static fn(int $page): string => "/$page", range(119, 70)),
            array_column($slow->slowest(1000), 'page'),
        );
    }

    private function log(): ChangeLog
    {
        return new ChangeLog($this->directory->path . '/changes', new SteppedClock());
    }

    /**
     * @param list<string>      $names
     * @param list<string>|null $pages
     */
    private static function change(array $names, ?array $pages): AnnouncedChange
    {
        return new AnnouncedChange(array_map(Name::of(...), $names), $pages);
    }
}
