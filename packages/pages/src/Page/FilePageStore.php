<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\RegisteredPage;
use Larder\Sql\Ledger\RegisteredPages;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;

/**
 * Pages as files on one host, which nginx serves as static files.
 *
 *     identity          tells this directory from all others, see DirectoryIdentity
 *     asked/…           of larder doctor, see NginxConfig::ASKED
 *     ledger            id of the ledger's life that these pages belong to; its mtime is the highest generation
 *     current           -> r/<release>, what nginx serves
 *     r/<release>/…     pages: <key>~page and its twin <key>~page.gz; a shell and a part have no twin
 *     to/<draft>/…      where redirects lead to, see RedirectPath; the redirect itself is a link to there
 *     draft/<name>[.gz] drafts, which a change removes by name
 *     stale/…           changed pages that are still served, see StaleFiles
 *     aside/<name>/…    what begin() or drop() took out of service together, until it is removed: each draft removes
 *                       twice as many bytes as it has, so that never more lies there than was once served
 *
 * Publishing is rename(2) of a draft; a change unlinks drafts first, then pages. So the rename of a renderer that comes
 * too late fails: a compare-and-swap made of POSIX calls. A draft gets its mtime before anybody else can know its name.
 *
 * @internal
 */
final readonly class FilePageStore implements KeepsStale, PageStore
{
    private const TWIN = '.gz';

    /** Bytes that a file or a directory takes at least. */
    private const BLOCK = 4096;

    /** Seconds after which a draft's renderer counts as dead. If it lives after all, its rename fails. */
    private const ABANDONED = 300;

    /** Names of what was put aside that are listed beside those to remove: others remove some of them meanwhile. */
    private const LISTED = 64;

    /** Pages of a directory that a change may take away together. For fewer it is no gain. */
    private const WHOLE = 32;

    /** Null where a change ends each page at once. */
    private ?StaleFiles $stale;

    /**
     * @param (Closure(string): ?RegisteredPages)|null $others makes the pages of a place that is no directory
     * @param StaleAreas|null                          $areas  where a changed page is still served; null: nowhere
     * @param Machine|null                             $machine null: this one
     * @param int                                      $most    bytes that the drafts of all renders may take together
     */
    public function __construct(
        private string $directory,
        private string $release,
        private Files $files = new Files(),
        private ?Closure $others = null,
        private ?StaleAreas $areas = null,
        private ClockInterface $clock = new SystemClock(),
        private ?Machine $machine = null,
        private int $most = PHP_INT_MAX,
    ) {
        $this->stale = $areas === null || $areas->spans() === []
            ? null
            : new StaleFiles($directory, $areas, $files, $clock);
    }

    public function keepsHeads(): bool
    {
        return false;
    }

    public function objection(PagePath $page, Response $answer): ?string
    {
        return match (true) {
            $page->isRedirect() => RedirectPath::objection($answer->body),
            $answer->body === '' => 'the body is empty',
            default => null,
        };
    }

    public function draft(PagePath $page, Response $answer): Draft
    {
        $body = $answer->body;
        $name = bin2hex(random_bytes(16));
        $twin = $page->isPiece() || $page->isRedirect() ? '' : (string) gzencode($body, 6);
        $directories = $page->directories() + ($page->isRedirect() ? RedirectPath::directories($body) : 0);
        $bytes = self::blocks($body) + self::blocks($twin) + self::BLOCK * $directories;
        $draft = new Draft($name, $page, $answer, $twin, $bytes);
        $this->files->makeDirectory($this->directory . '/draft');
        if (str_starts_with($name, '00')) {
            $this->sweepDrafts();
        }
        $this->remove($this->directory . '/aside', 2 * $bytes);
        $this->makeRoom($bytes);
        try {
            if ($page->isRedirect()) {
                $target = $this->directory . '/to/' . $name . '/' . RedirectPath::of($body);
                $this->files->makeDirectory($target);
                $this->files->link($this->drafted($name), $target);
            } else {
                $this->files->write($this->drafted($name), $body);
            }
            if ($twin !== '') {
                $this->files->write($this->drafted($name . self::TWIN), $twin);
            }
        } catch (PageStoreFailed $failed) {
            // Incomplete drafts would keep a full disk full.
            $this->discard($draft);
            throw $failed;
        }

        return $draft;
    }

    public function stamp(Draft $draft, int $generation): void
    {
        if (!$draft->page->isRedirect()) {
            // What is no page has no ETag, and the stamp would be set where the link leads to.
            $this->files->stamp($this->drafted($draft->name), $generation);
        }
        if ($draft->twin !== '') {
            $this->files->stamp($this->drafted($draft->name . self::TWIN), $generation);
        }
    }

    public function publish(Draft $draft, int $generation): bool
    {
        $page = $this->page($this->release, $draft->page->key);
        $marked = $this->files->mtime($this->mark());
        if ($marked === null) {
            // All pages were taken out of service, and this draft's with them.
            return false;
        }
        if ($marked < $generation) {
            $this->files->stamp($this->mark(), $generation);
        }

        return $this->files->rename($this->drafted($draft->name), $page)
            && ($draft->twin === ''
                || $this->files->rename($this->drafted($draft->name . self::TWIN), $page . self::TWIN))
            && $this->endStale(PagePath::own($draft->page->key));
    }

    public function discard(Draft $draft): void
    {
        $this->files->unlink($this->drafted($draft->name));
        $this->files->unlink($this->drafted($draft->name . self::TWIN));
        if ($draft->page->isRedirect()) {
            $this->leadNowhere($draft->name);
        }
    }

    public function made(Draft $draft, int $generation, bool $gzip): StoredPage
    {
        $page = $draft->page;

        return match (true) {
            $page->isRedirect() => new StoredPage($draft->answer->body, false, ''),
            $page->isPiece() => StoredPage::ofFile($draft->answer->body, $generation, false, $page->isShell),
            default => StoredPage::ofFile($gzip ? $draft->twin : $draft->answer->body, $generation, $gzip),
        };
    }

    public function read(PagePath $page, bool $gzip): ?StoredPage
    {
        $gzip = $gzip && !$page->isPiece();
        $path = $this->page($this->release, $page->key);
        if ($page->isRedirect()) {
            $target = $this->files->target($path);
            $start = $this->directory . '/to/' . str_repeat('?', 32) . '/';

            return $target === null
                ? null
                : new StoredPage(RedirectPath::location(substr($target, \strlen($start))), false, '');
        }
        $file = $this->files->read($path . ($gzip ? self::TWIN : ''));

        return $file === null ? null : StoredPage::ofFile($file['bytes'], $file['mtime'], $gzip, $page->isShell);
    }

    public function claim(PagePath $page): bool
    {
        return $this->stale?->claim($page->key) ?? false;
    }

    public function giveBack(PagePath $page): void
    {
        $this->stale?->giveBack($page->key);
    }

    public function stale(PagePath $page, bool $gzip): ?StoredPage
    {
        $file = $this->stale?->read($page->key, $gzip);

        return $file === null ? null : StoredPage::ofFile($file['bytes'], $file['mtime'], $gzip);
    }

    public function place(): string
    {
        $missing = '';
        $above = $this->directory;
        $real = realpath($above);
        while ($real === false && $above !== \dirname($above)) {
            $missing = '/' . basename($above) . $missing;
            $above = \dirname($above);
            $real = realpath($above);
        }

        return rtrim((string) $real, '/') . $missing;
    }

    public function host(): string
    {
        return $this->identity()->make();
    }

    public function isHost(string $host): bool
    {
        return $this->identity()->mayBe($host);
    }

    public function at(string $place): RegisteredPages
    {
        if ($place !== '' && !str_starts_with($place, '/')) {
            $pages = ($this->others ?? static fn(): null => null)($place);

            return $pages ?? throw PageStoreFailed::inAnUnknownStore($place);
        }

        return new self(
            $place,
            $this->release,
            $this->files,
            $this->others,
            $this->areas,
            $this->clock,
            $this->machine,
            $this->most,
        );
    }

    public function isThere(): bool
    {
        return is_dir($this->directory);
    }

    public function endWithHost(): bool
    {
        return FileSystem::isInMemory($this->files->kind($this->place()));
    }

    public function belong(string $ledger, int $generation): bool
    {
        $mark = $this->files->read($this->mark());
        if ($mark === null || $mark['bytes'] !== $ledger) {
            return false;
        }
        if ($mark['mtime'] > $generation) {
            return false;
        }
        // A slow renderer may have set the mark back. Nobody else does, since all others hold the lock.
        if ($mark['mtime'] < $generation) {
            $this->files->stamp($this->mark(), $generation);
        }

        return true;
    }

    public function begin(string $ledger, int $generation, string $release, bool $keepsStale = false): void
    {
        $this->files->makeDirectory($this->directory . '/draft');
        $this->putStaleAside($keepsStale);
        $this->putAside();
        $fresh = $this->mark() . '.new';
        $this->files->unlink($fresh);
        $this->files->write($fresh, $ledger);
        $this->files->stamp($fresh, $generation);
        $this->files->rename($fresh, $this->mark());
        $this->files->makeDirectory($this->directory . '/r/' . $release);
        $this->files->point($this->directory . '/current', 'r/' . $release);
    }

    public function drop(array $pages): void
    {
        if ($pages !== []) {
            $this->take($pages, null);
        }
    }

    public function outdate(array $pages): void
    {
        if ($pages !== []) {
            $this->take($pages, $this->stale);
        }
    }

    /**
     * @param non-empty-list<RegisteredPage> $pages
     * @param StaleFiles|null      $stale where those go that may still be served
     */
    private function take(array $pages, ?StaleFiles $stale): void
    {
        $now = $this->clock->now()->getTimestamp();
        $drafts = [];
        foreach ($pages as $placed) {
            array_push($drafts, $placed->draft, $placed->draft . self::TWIN);
        }
        // Each was there before it was registered. The few that are left belong to renders that run now.
        foreach ($this->files->present($this->directory . '/draft', ...$drafts) as $name) {
            $this->files->unlink($this->drafted($name));
        }
        $rooms = $roots = [];
        foreach ($pages as $placed) {
            $root = $this->directory . '/r/' . $placed->release;
            $page = $root . $placed->page . PagePath::SUFFIX;
            if ($stale !== null) {
                $this->keep($stale, $page, $placed->page, $now);
            }
            if (str_starts_with($placed->page, PagePath::STATUS . '3')) {
                // The link first would do as well: nginx finds it only while it leads somewhere.
                $this->leadNowhere($placed->draft);
            }
            $room = substr($page, 0, (int) strrpos($page, '/'));
            $rooms[$room][] = $page;
            $roots[$room] = \strlen($root);
        }
        foreach ($rooms as $room => $files) {
            $empty = $room;
            if (\count($files) >= self::WHOLE && $this->takeWhole($room, $files)) {
                $empty = \dirname($room);
            } else {
                foreach ($files as $file) {
                    $this->files->unlink($file . self::TWIN);
                    $this->files->unlink($file);
                }
            }
            while (\strlen($empty) > $roots[$room] && $this->files->removeDirectory($empty)) {
                $empty = \dirname($empty);
            }
        }
    }

    public function clear(): void
    {
        $this->files->unlink($this->mark());
        $this->putStaleAside(false);
        $this->putAside();
    }

    public function sweep(int $most): void
    {
        $this->sweepDrafts();
        $this->remove($this->directory . '/aside', min($most, intdiv(PHP_INT_MAX, self::BLOCK)) * self::BLOCK);
    }

    private function sweepDrafts(): void
    {
        foreach ($this->files->names($this->directory . '/draft') as $name) {
            if (($this->files->age($this->drafted($name)) ?? 0) > self::ABANDONED) {
                $this->files->unlink($this->drafted($name));
                $this->leadNowhere($name);
            }
        }
        $this->stale?->retire();
    }

    /**
     * One draft fits always: the ledger says whether its page does.
     *
     * @throws PageStoreFailed if the drafts of other renders leave no room for so many bytes
     */
    private function makeRoom(int $bytes): void
    {
        foreach ([true, false] as $mayEnd) {
            $held = 0;
            foreach ($this->files->sizes($this->directory . '/draft') as [$kind, $size]) {
                $held += $kind === 'link' ? self::BLOCK * RedirectPath::MOST : self::blocks($size);
            }
            if ($held === 0 || $held + $bytes <= $this->most) {
                return;
            }
            $mayEnd ? $this->sweepDrafts() : throw PageStoreFailed::fullOfDrafts($this->directory, $held, $this->most);
        }
    }

    /** A page that cannot be kept is removed as all others are. */
    private function keep(StaleFiles $stale, string $file, string $key, int $now): void
    {
        $span = $stale->span($key);
        try {
            $span === null ? null : $stale->keep($file, $key, $span, $now);
        } catch (PageStoreFailed) {
            return;
        }
    }

    private function putStaleAside(bool $keepsThePages): void
    {
        $release = $keepsThePages ? (new PageDirectory($this->directory, $this->files))->release() : null;
        if ($release !== null) {
            try {
                $this->stale?->keepAll($this->directory . '/r/' . $release);
            } catch (PageStoreFailed) {
                // What is not kept goes with the others.
            }
        } else {
            // Also where no area has stale seconds now: nginx may not know it yet.
            $this->files->rename($this->directory . '/stale', $this->directory . '/aside/' . bin2hex(random_bytes(8)));
        }
    }

    /** Takes every page out of service at once. Drafts go first, or one could still become a page. */
    private function putAside(): void
    {
        foreach ($this->files->names($this->directory . '/draft') as $name) {
            $this->files->unlink($this->drafted($name));
        }
        $this->files->rename($this->directory . '/r', $this->directory . '/aside/' . bin2hex(random_bytes(8)));
        $this->files->rename($this->directory . '/to', $this->directory . '/aside/' . bin2hex(random_bytes(8)));
    }

    private function leadNowhere(string $draft): void
    {
        $this->files->rename(
            $this->directory . '/to/' . $draft,
            $this->directory . '/aside/' . bin2hex(random_bytes(8)),
        );
    }

    /**
     * Takes a directory out of service in one step, if it has nothing but these pages. What comes into it meanwhile
     * goes with it: a miss.
     *
     * @param list<string> $files
     */
    private function takeWhole(string $room, array $files): bool
    {
        $names = $this->files->names($room);
        if (\count($names) > 2 * \count($files)) {
            return false;
        }
        $left = array_flip($names);
        foreach ($files as $file) {
            $name = substr($file, \strlen($room) + 1);
            unset($left[$name], $left[$name . self::TWIN]);
        }

        return $left === [] && $this->files->rename($room, $this->directory . '/aside/' . bin2hex(random_bytes(8)));
    }

    /**
     * Removes what is in a directory. What others remove meanwhile does not count.
     *
     * @return int how many more bytes may be removed
     */
    private function remove(string $directory, int $most): int
    {
        $listed = intdiv($most, self::BLOCK) + self::LISTED;
        foreach ($most > 0 ? $this->files->sizes($directory, $listed) : [] as $name => [$kind, $bytes]) {
            $path = $directory . '/' . $name;
            if ($kind === 'directory') {
                $most = $this->remove($path, $most);
                $isRemoved = $this->files->removeDirectory($path);
            } else {
                $isRemoved = $this->files->unlink($path);
            }
            $most -= $isRemoved ? max(self::BLOCK, self::blocks($bytes)) : 0;
            if ($most <= 0) {
                return 0;
            }
        }

        return $most;
    }

    private function endStale(string $key): bool
    {
        try {
            $this->stale?->end($key);
        } catch (PageStoreFailed) {
            // The page is in place, and an old one ends by itself.
            return true;
        }

        return true;
    }

    private function identity(): DirectoryIdentity
    {
        return new DirectoryIdentity($this->place(), $this->files, $this->machine ?? Machine::here());
    }

    private function mark(): string
    {
        return $this->directory . '/ledger';
    }

    private function drafted(string $name): string
    {
        return $this->directory . '/draft/' . $name;
    }

    private function page(string $release, string $key): string
    {
        return $this->directory . '/r/' . $release . $key . PagePath::SUFFIX;
    }

    private static function blocks(string|int $bytes): int
    {
        $count = \is_int($bytes) ? $bytes : \strlen($bytes);

        return intdiv($count + self::BLOCK - 1, self::BLOCK) * self::BLOCK;
    }
}
