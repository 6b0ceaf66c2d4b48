<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Page\Files;

/**
 * Real files. Each system call that another process could notice is a step.
 *
 * Some calls are no steps. They commute with everything that other processes do, and a death next to one leaves the
 * same state as a death before the next step, apart from names that no process will look at:
 * - A draft under a random name is private until its maker has registered it, since nobody knows the name before. A
 *   flush lists drafts, so it is explored with every call as a step.
 * - Its maker may remove the draft, since other processes can only remove it, too.
 * - Directories may be made and, if they are empty, removed: a page is moved to its place by a call that makes the
 *   directory again.
 *
 * With $everyCall they are steps as well, to check this reasoning; all but what is done to what was put aside, which
 * nobody else looks at.
 */
final readonly class DrivenFiles extends Files
{
    public function __construct(
        private string $root,
        private ExploredProcess $process,
        private DraftNames $drafts,
        private bool $everyCall,
        private Files $files = new Files(),
    ) {}

    public function write(string $path, string $bytes): void
    {
        $this->process->live();
        $this->drafts->made($this->process->name, $path);
        $this->call('write', $path, fn() => $this->files->write($path, $bytes));
    }

    public function link(string $path, string $target): void
    {
        $this->process->live();
        $this->drafts->made($this->process->name, $path);
        $this->call('write', $path, fn() => $this->files->link($path, $target));
    }

    public function target(string $path): ?string
    {
        return $this->call('read', $path, fn(): ?string => $this->files->target($path));
    }

    public function keep(string $path, string $bytes): void
    {
        $this->call('keep', $path, fn() => $this->files->keep($path, $bytes));
    }

    public function stamp(string $path, int $mtime): void
    {
        $this->call('stamp', $path, fn() => $this->files->stamp($path, $mtime));
    }

    public function rename(string $from, string $to): bool
    {
        return $this->call('rename', $from, fn(): bool => $this->files->rename($from, $to));
    }

    public function unlink(string $path): bool
    {
        return $this->call('unlink', $path, fn(): bool => $this->files->unlink($path));
    }

    public function read(string $path): ?array
    {
        return $this->call('read', $path, fn(): ?array => $this->files->read($path));
    }

    public function mtime(string $path): ?int
    {
        return $this->call('mtime', $path, fn(): ?int => $this->files->mtime($path));
    }

    public function makeDirectory(string $path, int $mode = 0o755): void
    {
        $this->process->live();
        $this->everyCall
            ? $this->call('mkdir', $path, fn() => $this->files->makeDirectory($path, $mode))
            : $this->files->makeDirectory($path, $mode);
    }

    public function point(string $link, string $target): void
    {
        $this->call('point', $link, fn() => $this->files->point($link, $target));
    }

    /** In an order that does not depend on random names. A renderer sweeps at random, and then finds nothing old. */
    public function names(string $directory): array
    {
        $this->process->live();
        if (!$this->process->hasBegun()) {
            return [];
        }

        return $this->call('list', $directory, fn(): array => $this->sorted($this->files->names($directory)));
    }

    public function present(string $directory, string ...$names): array
    {
        return $this->call(
            'list',
            $directory,
            fn(): array => $this->sorted($this->files->present($directory, ...$names)),
        );
    }

    public function entries(string $directory): array
    {
        $entries = [];
        foreach ($this->names($directory) as $name) {
            $entries[$name] = is_dir($directory . '/' . $name);
        }

        return $entries;
    }

    public function removeDirectory(string $path): bool
    {
        return $this->call('rmdir', $path, fn(): bool => $this->files->removeDirectory($path));
    }

    public function age(string $path): ?int
    {
        $this->process->live();

        return null;
    }

    public function node(string $path): ?string
    {
        return $this->files->node($path);
    }

    public function kind(string $path): string
    {
        return 'tmpfs';
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
        $short = $path === $this->root ? '.' : substr($path, \strlen($this->root) + 1);
        if (str_starts_with($short, 'aside') || (!$this->everyCall && $this->isPrivate($name, $short))) {
            return $do();
        }

        return $this->process->step($name . ' ' . $this->drafts->named($short), $do);
    }

    /**
     * @param list<string> $names
     *
     * @return list<string>
     */
    private function sorted(array $names): array
    {
        usort($names, fn(string $a, string $b): int => $this->drafts->named($a) <=> $this->drafts->named($b));

        return $names;
    }

    private function isPrivate(string $name, string $path): bool
    {
        if ($name === 'rmdir') {
            return true;
        }
        if (!str_starts_with($path, 'draft/') || !$this->drafts->isOf($this->process->name, $path)) {
            return false;
        }

        return $name === 'unlink' || $name === 'stamp' || !$this->process->hasBegun();
    }
}
