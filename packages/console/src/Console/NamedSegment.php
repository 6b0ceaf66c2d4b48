<?php

declare(strict_types=1);

namespace Larder\Console;

/** @internal A segment that has a file, named by its two settings. */
final readonly class NamedSegment
{
    public function __construct(
        public string $directory,
        public string $name,
    ) {}

    /** The segment that this process was started with. Its name may be empty. */
    public static function ofThisProcess(): self
    {
        return new self((string) \ini_get('larder.directory'), (string) \ini_get('larder.name'));
    }

    public function isNameable(): bool
    {
        return preg_match('/^[A-Za-z0-9._-]{1,100}$/D', $this->name) === 1 && !str_contains($this->directory, "'");
    }

    public function path(): string
    {
        return $this->directory . '/larder.' . $this->name;
    }

    /** Does not open the segment: a process with the name of a missing segment would make it. */
    public function isThere(): bool
    {
        return is_file($this->path());
    }

    /** @return list<string> the names of all segments in the directory */
    public function neighbours(): array
    {
        $names = [];
        foreach ((array) @scandir($this->directory) as $file) {
            if (str_starts_with((string) $file, 'larder.') && is_file($this->directory . '/' . $file)) {
                $names[] = substr((string) $file, \strlen('larder.'));
            }
        }

        return $names;
    }
}
