<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RegisteredPages;
use Larder\Exception\PageStoreFailed;

/**
 * Pages as files on one host, which nginx serves as static files.
 *
 *     ledger            id of the ledger's life that these pages belong to; its mtime is the highest generation
 *     current           -> r/<release>, what nginx serves
 *     r/<release>/…     pages: <key>~page and its twin <key>~page.gz
 *     draft/<name>[.gz] drafts, which a change removes by name
 *     aside/<name>/…    pages that begin() or drop() took out of service together, until sweep() removes them
 *
 * Publishing is rename(2) of a draft; a change unlinks drafts first, then pages. So the rename of a renderer that comes
 * too late fails: a compare-and-swap made of POSIX calls. A draft gets its mtime before anybody else can know its name.
 */
final readonly class FilePageStore implements PageStore
{
    private const TWIN = '.gz';

    /** Bytes that a file or a directory takes at least. */
    private const BLOCK = 4096;

    /** Seconds after which a draft's renderer counts as dead. If it lives after all, its rename fails. */
    private const ABANDONED = 300;

    /**
     * Files that one render of 256 sweeps: few, so that no visitor waits for a large store to be removed, and twice as
     * many as 256 renders make.
     */
    private const SWEPT = 1024;

    /** Pages of a directory that a change may take away together. For fewer it is no gain. */
    private const WHOLE = 32;

    public function __construct(
        private string $directory,
        private string $release,
        private Files $files = new LocalFiles(),
    ) {}

    public function draft(PagePath $page, string $body): Draft
    {
        $name = bin2hex(random_bytes(16));
        $twin = (string) gzencode($body, 6);
        $this->files->makeDirectory($this->directory . '/draft');
        if (str_starts_with($name, '00')) {
            $this->sweep(self::SWEPT);
        }
        $bytes = self::blocks($body) + self::blocks($twin) + self::BLOCK * $page->directories();
        $draft = new Draft($name, $page, $twin, $bytes);
        try {
            $this->files->write($this->drafted($name), $body);
            $this->files->write($this->drafted($name . self::TWIN), $twin);
        } catch (PageStoreFailed $failed) {
            // Incomplete drafts would keep a full disk full.
            $this->discard($draft);
            throw $failed;
        }

        return $draft;
    }

    public function stamp(Draft $draft, int $generation): void
    {
        $this->files->stamp($this->drafted($draft->name), $generation);
        $this->files->stamp($this->drafted($draft->name . self::TWIN), $generation);
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
            && $this->files->rename($this->drafted($draft->name . self::TWIN), $page . self::TWIN);
    }

    public function discard(Draft $draft): void
    {
        $this->files->unlink($this->drafted($draft->name));
        $this->files->unlink($this->drafted($draft->name . self::TWIN));
    }

    public function read(PagePath $page, bool $gzip): ?StoredPage
    {
        $file = $this->files->read($this->page($this->release, $page->key) . ($gzip ? self::TWIN : ''));

        return $file === null ? null : new StoredPage($file['bytes'], $file['mtime'], $gzip);
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

    public function at(string $place): RegisteredPages
    {
        return new self($place, $this->release, $this->files);
    }

    public function isThere(): bool
    {
        return is_dir($this->directory);
    }

    public function endWithHost(): bool
    {
        return $this->files->isInMemory($this->place());
    }

    public function belong(string $ledger, int $generation): bool
    {
        $mark = $this->files->read($this->mark());
        if ($mark === null || $mark['bytes'] !== $ledger || $mark['mtime'] > $generation) {
            return false;
        }
        // A slow renderer may have set the mark back. Nobody else does, since all others hold the lock.
        if ($mark['mtime'] < $generation) {
            $this->files->stamp($this->mark(), $generation);
        }

        return true;
    }

    public function begin(string $ledger, int $generation, string $release): void
    {
        $this->files->makeDirectory($this->directory . '/draft');
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
        if ($pages === []) {
            return;
        }
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
        $this->putAside();
    }

    public function sweep(int $most): void
    {
        foreach ($this->files->names($this->directory . '/draft') as $name) {
            if (($this->files->age($this->drafted($name)) ?? 0) > self::ABANDONED) {
                $this->files->unlink($this->drafted($name));
            }
        }
        $this->remove($this->directory . '/aside', $most);
    }

    /** Takes every page out of service at once. Drafts go first, or one could still become a page. */
    private function putAside(): void
    {
        foreach ($this->files->names($this->directory . '/draft') as $name) {
            $this->files->unlink($this->drafted($name));
        }
        $this->files->rename($this->directory . '/r', $this->directory . '/aside/' . bin2hex(random_bytes(8)));
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

    /** @return int how many more files and directories may be removed */
    private function remove(string $directory, int $most): int
    {
        foreach ($this->files->entries($directory) as $name => $isDirectory) {
            if ($most <= 0) {
                return 0;
            }
            $path = $directory . '/' . $name;
            if ($isDirectory) {
                $most = $this->remove($path, $most);
                $this->files->removeDirectory($path);
            } else {
                $this->files->unlink($path);
            }
            --$most;
        }

        return $most;
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

    private static function blocks(string $bytes): int
    {
        return intdiv(\strlen($bytes) + self::BLOCK - 1, self::BLOCK) * self::BLOCK;
    }
}
