<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\FilePageStore;
use Larder\Page\Files;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Page\StaleAreas;
use Larder\Page\StaleFiles;
use Larder\Page\StaleSpan;
use Larder\Sql\Ledger\RegisteredPage;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What lies where, by a clock that the test moves. What nginx makes of it is in StalePagesTest. */
#[CoversClass(FilePageStore::class)]
#[CoversClass(StaleFiles::class)]
final class StaleFilesTest extends TestCase
{
    private TemporaryDirectory $directory;
    private SteppedClock $clock;
    private FilePageStore $store;
    private int $generation = 1;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->clock = new SteppedClock();
        $this->store = $this->open();
        $this->store->begin('life', 1, 'r1');
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAChangedPageIsFoundAsLongAsItsAreaSaysAndOthersAreNot(): void
    {
        foreach (['/news/4', '/news/5', '/now/4'] as $key) {
            $this->store->outdate([$this->published($key, $key)]);
            self::assertNull($this->store->read(self::page($key), false));
        }
        $last = [];
        for ($second = 0; $second < 70; ++$second) {
            foreach (['/news/4', '/news/5', '/now/4'] as $key) {
                foreach ([false, true] as $gzip) {
                    $page = $this->store->stale(self::page($key), $gzip);
                    self::assertSame($page !== null, $this->asNginx($key, 'w', $gzip) !== null);
                    if ($page !== null) {
                        self::assertSame($key, $gzip ? gzdecode($page->bytes) : $page->bytes);
                        $last[$key] = $second;
                    }
                }
            }
            $this->clock->seconds += 1;
        }
        // The clock began at the beginning of a bucket.
        self::assertSame(['/news/4' => 59, '/news/5' => 59], $last);
    }

    /** It may have other readers, and a page that makes room would not make any. */
    public function testAPageThatWasReplacedOrMadeRoomIsNotKept(): void
    {
        $this->store->drop([$this->published('/news/4', 'old')]);
        self::assertNull($this->store->stale(self::page('/news/4'), false));
        self::assertSame([], $this->files('stale'));
    }

    public function testOneWhoMakesItLetsNginxServeItToAllUntilItIsMade(): void
    {
        $this->store->outdate([$this->published('/news/4', 'old')]);
        $this->clock->seconds += 25;
        $page = self::page('/news/4');
        self::assertNull($this->asNginx('/news/4', 'm'));
        self::assertTrue($this->store->claim($page));
        self::assertFalse($this->store->claim($page), 'Another one has it.');
        self::assertSame(['old', null], [$this->asNginx('/news/4', 'm'), $this->asNginx('/news/4', 'w')]);
        self::assertNotNull($this->asNginx('/news/4', 'm', true));
        self::assertSame('old', $this->store->stale($page, false)?->bytes);

        $this->store->giveBack($page);
        self::assertSame([null, 'old'], [$this->asNginx('/news/4', 'm'), $this->asNginx('/news/4', 'w')]);
        $this->store->claim($page);
        $this->published('/news/4', 'new');
        self::assertNull($this->store->stale($page, false));
        $this->store->giveBack($page);
        self::assertSame('new', $this->store->read($page, false)?->bytes);
        self::assertSame([], $this->files('stale'));
    }

    /** There is no page then, and the time of the old one does not begin anew. */
    public function testASecondChangeDoesNotProlongIt(): void
    {
        $registered = $this->published('/news/4', 'old');
        $this->store->outdate([$registered]);
        $this->store->claim(self::page('/news/4'));
        $this->clock->seconds += 35;
        $this->store->outdate([$registered]);
        self::assertSame('old', $this->asNginx('/news/4', 'm'));
        $this->clock->seconds += 25;
        self::assertNull($this->store->stale(self::page('/news/4'), false));
        self::assertNull($this->asNginx('/news/4', 'm'));
    }

    /** Its renderer was killed right after it had published the new one, which a change then ends. */
    public function testAnOlderOneIsNeverServedAfterANewerOne(): void
    {
        $this->store->outdate([$this->published('/news/4', 'old')]);
        $this->store->claim(self::page('/news/4'));
        $making = $this->room(0) . '/m/news/4~page';
        self::assertFileExists($making);
        copy($making, $this->directory->path . '/old');
        $registered = $this->published('/news/4', 'new');
        copy($this->directory->path . '/old', $making);
        $this->store->outdate([$registered]);

        self::assertSame([null, 'new'], [$this->asNginx('/news/4', 'm'), $this->asNginx('/news/4', 'w')]);
    }

    /** The name is of the moment at which its change began. */
    public function testAWriterThatWasPausedKeepsNothing(): void
    {
        $registered = $this->published('/news/4', 'old');
        $files = new StaleFiles(
            $this->directory->path,
            $this->areas(),
            new Files(),
            $this->clock,
        );
        $begun = (int) $this->clock->seconds;
        $this->clock->seconds += 60;
        $files->keep($this->directory->path . '/r/r1/news/4~page', '/news/4', new StaleSpan(60), $begun);
        self::assertNull($this->store->stale(self::page('/news/4'), false));
        self::assertNull($this->asNginx('/news/4', 'w'));
        $this->store->outdate([$registered]);
        self::assertNull($this->store->stale(self::page('/news/4'), false));
    }

    public function testAFlushEndsThemAndADeployKeepsThePagesForTheirTime(): void
    {
        $this->store->outdate([$this->published('/news/4', 'four')]);
        $this->published('/news/5', 'five');
        $this->published('/now/5', 'now');
        $this->store->begin('life2', 9, 'r2', true);
        $deployed = $this->open('r2');
        self::assertNull($deployed->read(self::page('/news/5'), false));
        self::assertSame('five', $deployed->stale(self::page('/news/5'), false)?->bytes);
        self::assertNull($deployed->stale(self::page('/now/5'), false));
        self::assertSame('five', $this->asNginx('/news/5', 'w'));
        self::assertTrue($deployed->claim(self::page('/news/5')));
        $this->clock->seconds += 60;
        self::assertNull($deployed->stale(self::page('/news/5'), false));

        foreach ([
            fn() => $deployed->begin('life3', 19, 'r2'),
            fn() => $deployed->clear(),
        ] as $end) {
            $deployed->begin('life2', 12, 'r2');
            $this->store = $deployed;
            $deployed->outdate([$this->published('/news/4', 'four', 'r2')]);
            self::assertNotNull($deployed->stale(self::page('/news/4'), false));
            $end();
            self::assertNull($deployed->stale(self::page('/news/4'), false));
            self::assertSame([], $this->files('stale'));
        }
    }

    public function testAClockThatWasSetBackDoesNotBringThemBackOnceSomethingChanges(): void
    {
        $this->clock->seconds += 3600;
        $this->store->outdate([$this->published('/news/4', 'old')]);
        $this->clock->seconds -= 1800;
        $this->store->outdate([$this->published('/news/5', 'five')]);
        self::assertSame('five', $this->asNginx('/news/5', 'w'));
        $this->clock->seconds += 1800;
        self::assertNull($this->store->stale(self::page('/news/4'), false));
        self::assertNull($this->asNginx('/news/4', 'w'));
    }

    public function testWhatIsOverIsRemoved(): void
    {
        foreach (range(1, 50) as $change) {
            $this->store->outdate(array_map(
                fn(int $page): RegisteredPage => $this->published("/news/$page", 'text'),
                range(1, 40),
            ));
            $this->clock->seconds += 30;
        }
        $this->clock->seconds += 60;
        $this->store->sweep(PHP_INT_MAX);
        self::assertSame([], $this->files('stale'));
        self::assertSame([], $this->files('aside'));
        self::assertSame(['60', 'd'], $this->names('stale'));
        self::assertSame([], $this->names('stale/60'));
        self::assertSame([], $this->names('stale/d'));
    }

    public function testAPageThatCannotBeKeptIsRemoved(): void
    {
        file_put_contents($this->directory->path . '/stale', 'in the way');
        $this->store->outdate([$this->published('/news/4', 'old')]);
        self::assertNull($this->store->read(self::page('/news/4'), false));
        self::assertNull($this->store->read(self::page('/news/4'), true));
        unlink($this->directory->path . '/stale');
    }

    private function areas(): StaleAreas
    {
        return new StaleAreas([new Area('/now'), new Area('/', stale: 60)]);
    }

    private function open(string $release = 'r1'): FilePageStore
    {
        return new FilePageStore($this->directory->path, $release, areas: $this->areas(), clock: $this->clock);
    }

    private function published(string $key, string $body, string $release = 'r1'): RegisteredPage
    {
        $draft = $this->store->draft(self::page($key), new Response(200, [], $body));
        $this->store->stamp($draft, ++$this->generation);
        self::assertTrue($this->store->publish($draft, $this->generation));

        return new RegisteredPage($key, $draft->name, $release);
    }

    /** What nginx finds now, at the names that NginxTemplates gives it. */
    private function asNginx(string $key, string $state, bool $gzip = false): ?string
    {
        foreach (range(0, (new StaleSpan(60))->count() - 1) as $back) {
            $file = $this->room($back) . '/' . $state . $key . '~page' . ($gzip ? '.gz' : '');
            if (is_file($file)) {
                return (string) file_get_contents($file);
            }
        }

        return null;
    }

    private function room(int $back): string
    {
        $bucket = (new StaleSpan(60))->bucket((int) $this->clock->seconds);

        return "{$this->directory->path}/stale/60/$bucket/$back";
    }

    /** @return list<string> */
    private function files(string $directory): array
    {
        $found = [];
        foreach ($this->names($directory) as $name) {
            $path = "$directory/$name";
            $whole = $this->directory->path . '/' . $path;
            match (true) {
                is_link($whole) => null,
                is_dir($whole) => array_push($found, ...$this->files($path)),
                default => $found[] = $path,
            };
        }

        return $found;
    }

    /** @return list<string> */
    private function names(string $directory): array
    {
        $names = @scandir($this->directory->path . '/' . $directory);

        return array_values(array_diff($names === false ? [] : $names, ['.', '..']));
    }

    private static function page(string $key): PagePath
    {
        $page = PagePath::of($key);
        self::assertNotNull($page);

        return $page;
    }
}
