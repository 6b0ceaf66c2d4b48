<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\FilePageStore;
use Larder\Page\Files;
use Larder\Page\PageCache;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** A page store that cannot take a page: its visitor is answered all the same, and nothing of the page is left. */
#[CoversClass(FilePageStore::class)]
#[CoversClass(Files::class)]
#[CoversClass(PageCache::class)]
final class FullDiskTest extends TestCase
{
    private const BLOCK = 4096;
    private const ITEM = 'href="/news/4/edit"';
    private const FAILED = 'larder; fwd=miss; detail="the page store failed: No space left on device; the log says '
        . 'more"';

    private TemporaryDirectory $directory;

    private ?LiveSite $site = null;

    private bool $mounted = false;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->site?->stop();
        if ($this->mounted) {
            (new Process(['umount', '--lazy', $this->directory->path . '/pages']))->mustRun();
        }
        $this->directory->remove();
    }

    /** @return iterable<string, array{int}> */
    public static function room(): iterable
    {
        yield 'no room' => [0];
        yield 'room for half of the page' => [1];
        yield 'room for the page and not for its twin' => [2];
    }

    #[DataProvider('room')]
    public function testOnAFullDiskPagesAreMadeAndNotKept(int $blocks): void
    {
        $site = $this->onSmallDisk();
        // A first page makes the directories and the files that are always there.
        self::assertSame('larder; fwd=miss; stored', $site->get('/news/5')->header('Cache-Status'));
        $before = $site->stored();
        $this->fill($blocks);

        // Of 8,000 bytes that do not compress: two blocks for the page and two for its twin.
        foreach ([1, 2] as $visitor) {
            $answer = $site->get('/trap/noise');
            self::assertSame(
                [200, self::FAILED],
                [$answer->status, $answer->header('Cache-Status')],
                'visitor ' . $visitor,
            );
            self::assertStringEndsWith("the end</p>\n", $answer->body);
            self::assertSame($before, $site->stored());
            self::assertStringContainsString('errno=28', $site->log());
        }
        self::assertSame('larder; hit', $site->get('/news/5')->header('Cache-Status'), 'What was stored is served.');

        unlink($this->directory->path . '/pages/filler');
        self::assertSame('larder; fwd=miss; stored', $site->get('/trap/noise')->header('Cache-Status'));
        self::assertSame('larder; hit', $site->get('/trap/noise')->header('Cache-Status'));
        self::assertCount(2, $site->keys());
    }

    public function testAChangeOnAFullDiskDropsWhatItMust(): void
    {
        $site = $this->onSmallDisk();
        $site->get('/news/4');
        $this->fill(0);

        self::assertSame(
            303,
            $site->post('/news/4/comment', ['author' => 'Ida', 'text' => 'there is no room'])->status,
        );
        self::assertSame([], $site->stored());
        self::assertStringContainsString('there is no room', $site->get('/news/4')->body);
    }

    /** What a full or read-only disk does, on any machine: there is a file where a directory must be. */
    public function testAPageStoreThatCannotBeWrittenIsAMiss(): void
    {
        $this->site = $site = LiveSite::withTraps();
        $drafts = $site->site->pages . '/draft';
        rmdir($drafts);
        file_put_contents($drafts, '');

        foreach ([1, 2] as $visitor) {
            $answer = $site->get('/news/4');
            self::assertSame(200, $answer->status, 'visitor ' . $visitor);
            self::assertStringContainsString(self::ITEM, $answer->body);
            self::assertSame(
                str_replace('No space left on device', 'File exists', self::FAILED),
                $answer->header('Cache-Status'),
            );
        }
        unlink($drafts);
        self::assertSame([], $site->stored());
        self::assertSame('larder; fwd=miss; stored', $site->get('/news/4')->header('Cache-Status'));
        self::assertSame('larder; hit', $site->get('/news/4')->header('Cache-Status'));
    }

    private function onSmallDisk(): LiveSite
    {
        $pages = $this->directory->path . '/pages';
        mkdir($pages);
        $mount = new Process(['mount', '-t', 'tmpfs', '-o', 'size=' . 64 * self::BLOCK . ',mode=0755', 'none', $pages]);
        if ($mount->run() !== 0) {
            self::markTestSkipped('a small file system cannot be mounted here: ' . trim($mount->getErrorOutput()));
        }
        $this->mounted = true;

        return $this->site = LiveSite::withTraps(pages: $pages);
    }

    /** Fills the disk but for $blocks blocks. */
    private function fill(int $blocks): void
    {
        $free = (int) disk_free_space($this->directory->path . '/pages');
        self::assertSame(
            $free - $blocks * self::BLOCK,
            @file_put_contents(
                $this->directory->path . '/pages/filler',
                str_repeat('x', $free - $blocks * self::BLOCK),
            ),
        );
    }
}
