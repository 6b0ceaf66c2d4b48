<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;

/**
 * Pages as files on one host, which nginx serves as static files.
 *
 *     ledger            id of the ledger that this directory belongs to; its mtime is the highest generation
 *     current           -> r/<release>, what nginx serves
 *     r/<release>/…     pages: <key>~page and its twin <key>~page.gz
 *     draft/<name>[.gz] drafts, which a change removes by name
 *     hold/<name>[.gz]  a second name of each draft, which only its renderer knows
 *
 * Publishing is rename(2) of a draft; a change unlinks drafts first, then pages. So the rename of a renderer that comes
 * too late fails: a compare-and-swap made of POSIX calls. The renderer sets the mtime by the held name: PHP's touch()
 * of a draft that was just removed would make an empty draft. So only its renderer removes a held name while the draft
 * may live, and not even clear() does: otherwise a page could be published with another mtime than its generation.
 */
final readonly class FilePageStore implements PageStore
{
    private const TWIN = '.gz';
    private const BLOCK = 4096;

    /** Seconds after which a draft's renderer counts as dead. If it lives after all, its rename fails. */
    private const ABANDONED = 300;

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
        $this->files->makeDirectory($this->directory . '/hold');
        if (str_starts_with($name, '00')) {
            $this->sweep();
        }
        $draft = new Draft($name, $page, $twin, self::blocks($body) + self::blocks($twin));
        try {
            $this->write($name, $body);
            $this->write($name . self::TWIN, $twin);
        } catch (PageStoreFailed $failed) {
            // Incomplete drafts would keep a full disk full.
            $this->discard($draft);
            throw $failed;
        }

        return $draft;
    }

    public function publish(Draft $draft, int $generation): bool
    {
        $page = $this->page($this->release, $draft->page->key);
        $this->files->makeDirectory(\dirname($page));
        if ($this->highest() < $generation) {
            $this->files->stamp($this->mark(), $generation);
        }
        $this->files->stamp($this->hold($draft->name), $generation);
        $this->files->stamp($this->hold($draft->name . self::TWIN), $generation);
        $published = $this->files->rename($this->drafted($draft->name), $page)
            && $this->files->rename($this->drafted($draft->name . self::TWIN), $page . self::TWIN);
        $this->discard($draft);

        return $published;
    }

    public function discard(Draft $draft): void
    {
        foreach (['', self::TWIN] as $variant) {
            $this->files->unlink($this->drafted($draft->name . $variant));
            $this->files->unlink($this->hold($draft->name . $variant));
        }
    }

    public function read(PagePath $page, bool $gzip): ?StoredPage
    {
        $file = $this->files->read($this->page($this->release, $page->key) . ($gzip ? self::TWIN : ''));

        return $file === null ? null : new StoredPage($file['bytes'], $file['mtime'], $gzip);
    }

    public function claim(string $ledger, int $generation): bool
    {
        $mark = $this->files->read($this->mark());
        if ($mark !== null && $mark['bytes'] === $ledger && $mark['mtime'] <= $generation) {
            // A slow renderer may have set the mark back. Nobody else does, since all others hold the lock.
            if ($mark['mtime'] < $generation) {
                $this->files->stamp($this->mark(), $generation);
            }

            return true;
        }
        $this->clear();
        $highest = max($generation, $mark['mtime'] ?? 0);
        $this->files->unlink($this->mark());
        $this->files->write($this->mark(), $ledger);
        $this->files->stamp($this->mark(), $highest);

        return false;
    }

    public function highest(): int
    {
        return $this->files->read($this->mark())['mtime'] ?? 0;
    }

    public function drop(array $results): void
    {
        foreach ($results as $placed) {
            $this->files->unlink($this->drafted($placed->draft));
            $this->files->unlink($this->drafted($placed->draft . self::TWIN));
        }
        foreach ($results as $placed) {
            $page = $this->page($placed->release, $placed->page);
            $this->files->unlink($page . self::TWIN);
            $this->files->unlink($page);
        }
    }

    public function clear(): void
    {
        $this->files->makeDirectory($this->directory);
        $this->empty($this->directory . '/draft');
        $this->empty($this->directory . '/r');
    }

    public function release(string $release): void
    {
        $this->files->makeDirectory($this->directory . '/r/' . $release);
        $this->files->point($this->directory . '/current', 'r/' . $release);
    }

    /** Removes what dead renderers left. Drafts go first: publish() needs the held name as long as there is a draft. */
    public function sweep(): void
    {
        foreach (array_keys($this->files->entries($this->directory . '/hold')) as $name) {
            if (($this->files->age($this->hold($name)) ?? 0) > self::ABANDONED) {
                $this->files->unlink($this->drafted($name));
                $this->files->unlink($this->hold($name));
            }
        }
    }

    private function write(string $name, string $bytes): void
    {
        $this->files->write($this->hold($name), $bytes);
        $this->files->link($this->hold($name), $this->drafted($name));
    }

    private function empty(string $directory): void
    {
        foreach ($this->files->entries($directory) as $name => $isDirectory) {
            $path = $directory . '/' . $name;
            if ($isDirectory) {
                $this->empty($path);
                $this->files->removeDirectory($path);
            } else {
                $this->files->unlink($path);
            }
        }
    }

    private function mark(): string
    {
        return $this->directory . '/ledger';
    }

    private function drafted(string $name): string
    {
        return $this->directory . '/draft/' . $name;
    }

    private function hold(string $name): string
    {
        return $this->directory . '/hold/' . $name;
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
