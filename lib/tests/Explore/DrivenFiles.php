<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use Closure;
use Larder\Page\Files;
use Larder\Page\LocalFiles;

/**
 * Real files; each system call that another process could notice is a step.
 *
 * Not steps, because they commute with everything that others do, and a death beside one leaves what a death before the next
 * step leaves, but for names that nobody will ever look at:
 * - calls on names in hold/: random, and told to nobody;
 * - the making of a draft under a random name, as long as its maker has not begun to register it: nobody knows the name yet;
 * - the removal of a draft under a random name by its maker: all that others ever do with it is to remove it, too;
 * - the making of directories, which nobody removes here.
 *
 * With $everyCall they are steps as well (but for directories), to check this reasoning.
 */
final readonly class DrivenFiles implements Files
{
    public function __construct(
        private string $root,
        private Process $process,
        private Drafts $drafts,
        private bool $everyCall,
        private LocalFiles $files = new LocalFiles(),
    ) {}

    public function write(string $path, string $bytes): void
    {
        $this->process->live();
        $this->drafts->made($this->process->name, $path);
        $this->call('write', $path, fn() => $this->files->write($path, $bytes));
    }

    public function link(string $from, string $to): void
    {
        $this->call('link', $to, fn() => $this->files->link($from, $to));
    }

    public function stamp(string $path, int $mtime): void
    {
        $this->call('stamp', $path, fn() => $this->files->stamp($path, $mtime));
    }

    public function rename(string $from, string $to): bool
    {
        return $this->call('rename', $from, fn(): bool => $this->files->rename($from, $to));
    }

    public function unlink(string $path): void
    {
        $this->call('unlink', $path, fn() => $this->files->unlink($path));
    }

    public function read(string $path): ?array
    {
        return $this->call('read', $path, fn(): ?array => $this->files->read($path));
    }

    public function makeDirectory(string $path): void
    {
        $this->process->live();
        $this->files->makeDirectory($path);
    }

    public function point(string $link, string $target): void
    {
        $this->call('point', $link, fn() => $this->files->point($link, $target));
    }

    /** Asked for by a sweep only, which finds nothing old here and happens by chance: it would make runs differ. */
    public function entries(string $directory): array
    {
        $this->process->live();

        return [];
    }

    public function removeDirectory(string $path): void
    {
        $this->call('rmdir', $path, fn() => $this->files->removeDirectory($path));
    }

    public function age(string $path): ?int
    {
        $this->process->live();

        return null;
    }

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    private function call(string $name, string $path, Closure $do): mixed
    {
        $this->process->live();
        $short = substr($path, \strlen($this->root) + 1);
        if (!$this->everyCall && $this->isPrivate($name, $short)) {
            return $do();
        }

        return $this->process->step($name . ' ' . $this->drafts->named($short), $do);
    }

    private function isPrivate(string $name, string $path): bool
    {
        if (str_starts_with($path, 'hold/')) {
            return true;
        }
        if (!str_starts_with($path, 'draft/') || !$this->drafts->isOf($this->process->name, $path)) {
            return false;
        }

        return $name === 'unlink' || ($name === 'link' && !$this->process->hasBegun());
    }
}
