<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal Shows people what is in the directory of a FilePageStore. It changes nothing. */
final readonly class PageDirectory
{
    public function __construct(
        private string $directory,
        private Files $files = new Files(),
    ) {}

    /** @return string|null the release that nginx serves */
    public function release(): ?string
    {
        $target = @readlink($this->directory . '/current');

        return $target === false ? null : basename($target);
    }

    /** @return string|null id of the ledger that this directory belongs to */
    public function ledger(): ?string
    {
        return $this->files->read($this->directory . '/ledger')['bytes'] ?? null;
    }

    /** Whether this is the directory at that path, which may be written in another way. */
    public function isAt(string $path): bool
    {
        return $path === $this->directory || ($path !== '' && realpath($path) === realpath($this->directory));
    }

    /** @return list<string> keys of the pages that nginx serves now, sorted */
    public function keys(): array
    {
        $found = [];
        $waiting = [''];
        while ($waiting !== []) {
            $below = array_pop($waiting);
            foreach ($this->files->entries($this->directory . '/current' . $below) as $name => $isDirectory) {
                if ($isDirectory) {
                    $waiting[] = $below . '/' . $name;
                } elseif (str_ends_with($name, PagePath::SUFFIX)) {
                    $found[] = $below . '/' . substr($name, 0, -\strlen(PagePath::SUFFIX));
                }
            }
        }
        sort($found);

        return $found;
    }

    /** @return int the number of files of renders that are running, or died */
    public function drafts(): int
    {
        return \count($this->files->entries($this->directory . '/draft'));
    }

    public function path(string $key): string
    {
        return $this->directory . '/current' . $key . PagePath::SUFFIX;
    }

    public function isWritable(): bool
    {
        return is_dir($this->directory) && is_writable($this->directory);
    }

    /** Whether the directory is in memory, where no page survives a power loss (Linux). */
    public function isInMemory(): bool
    {
        $path = realpath($this->directory);
        $type = '';
        $longest = -1;
        foreach ((array) @file('/proc/self/mounts') as $line) {
            [, $mount, $kind] = explode(' ', (string) $line) + ['', '', ''];
            $below = $mount === '/' ? '/' : $mount . '/';
            if ($path !== false && str_starts_with($path . '/', $below) && \strlen($mount) >= $longest) {
                [$type, $longest] = [$kind, \strlen($mount)];
            }
        }

        return \in_array($type, ['tmpfs', 'ramfs'], true);
    }
}
