<?php

declare(strict_types=1);

namespace Larder\Page;

/** A look into the directory of a FilePageStore, for people. Changes nothing. */
final readonly class PageDirectory
{
    public function __construct(
        private string $directory,
        private Files $files = new LocalFiles(),
    ) {}

    /** @return string|null the release that nginx serves */
    public function release(): ?string
    {
        $target = @readlink($this->directory . '/current');

        return $target === false ? null : basename($target);
    }

    /** @return array{id: string, highest: int}|null of the ledger that this directory belongs to; highest: generation placed here */
    public function ledger(): ?array
    {
        $mark = $this->files->read($this->directory . '/ledger');

        return $mark === null ? null : ['id' => $mark['bytes'], 'highest' => $mark['mtime']];
    }

    /** @return list<string> keys of the pages that nginx serves now, sorted */
    public function keys(): array
    {
        $found = [];
        $waiting = [''];
        while ($waiting !== []) {
            $below = array_pop($waiting);
            foreach ($this->files->entries($this->directory . '/current' . $below) as $name => $isDirectory) {
                $path = $below . '/' . $name;
                if ($isDirectory) {
                    $waiting[] = $path;
                } elseif (str_ends_with($path, PagePath::SUFFIX)) {
                    $found[] = substr($path, 0, -\strlen(PagePath::SUFFIX));
                }
            }
        }
        sort($found);

        return $found;
    }

    /**
     * @param string $uri canonical
     *
     * @return list<string> keys of the pages stored for it: itself, or one for each time bucket, oldest first
     */
    public function keysOf(string $uri): array
    {
        $keys = [$uri];
        foreach ($this->files->entries($this->directory . '/current') as $name => $isDirectory) {
            $key = '/' . $name . $uri;
            if ($isDirectory && str_starts_with($key, '/@')) {
                $keys[] = $key;
            }
        }
        sort($keys);

        return array_values(array_filter($keys, $this->stores(...)));
    }

    public function stores(string $key): bool
    {
        return $this->files->age($this->path($key)) !== null;
    }

    /** @return array{file: string, bytes: int, generation: int, age: int}|null bytes without the twin, age in seconds; null: not stored */
    public function page(string $key): ?array
    {
        $path = $this->path($key);
        $age = $this->files->age($path);
        $file = $this->files->read($path);

        return $age === null || $file === null ? null : ['file' => $path, 'bytes' => \strlen($file['bytes']), 'generation' => $file['mtime'], 'age' => max(0, $age)];
    }

    /** @return int renders that are under way, or that died */
    public function drafts(): int
    {
        return \count(array_filter(array_keys($this->files->entries($this->directory . '/draft')), static fn(string $name): bool => !str_ends_with($name, '.gz')));
    }

    private function path(string $key): string
    {
        return $this->directory . '/current' . $key . PagePath::SUFFIX;
    }

    public function exists(): bool
    {
        return is_dir($this->directory);
    }

    public function isWritable(): bool
    {
        return is_writable($this->directory);
    }

    /** @return bool whether the directory is in memory, where nothing survives a power loss (Linux) */
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
