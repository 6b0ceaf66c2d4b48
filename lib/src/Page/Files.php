<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;

/** The page store's system calls. Each is one step of the algorithm. Every failure but a missing file is thrown. */
interface Files
{
    /**
     * Makes a file with these bytes, under a name that must not exist.
     *
     * @throws PageStoreFailed also after a short write, which leaves no file
     */
    public function write(string $path, string $bytes): void;

    /**
     * Gives a file a second name.
     *
     * @throws PageStoreFailed
     */
    public function link(string $from, string $to): void;

    /**
     * Sets the modification time, only of a file that nobody else removes: PHP's touch() would make an empty one.
     *
     * @throws PageStoreFailed
     */
    public function stamp(string $path, int $mtime): void;

    /**
     * Moves a file within the file system and replaces another.
     *
     * @return bool false: $from is gone
     *
     * @throws PageStoreFailed
     */
    public function rename(string $from, string $to): bool;

    /**
     * Removes a file. Succeeds as well if the file is gone already.
     *
     * @throws PageStoreFailed
     */
    public function unlink(string $path): void;

    /** @return array{bytes: string, mtime: int}|null both of the same file; null: it is missing or cannot be read */
    public function read(string $path): ?array;

    /**
     * Makes a directory with its parents; an existing one is fine.
     *
     * @throws PageStoreFailed
     */
    public function makeDirectory(string $path): void;

    /**
     * Makes a symbolic link, or replaces another in one step.
     *
     * @throws PageStoreFailed
     */
    public function point(string $link, string $target): void;

    /**
     * @return array<string, bool> by name, whether the entry is a directory; empty if $directory is missing
     *
     * @throws PageStoreFailed
     */
    public function entries(string $directory): array;

    /** Removes a directory if it is empty. */
    public function removeDirectory(string $path): void;

    /** @return int|null seconds since the file or its inode changed; null: it is missing */
    public function age(string $path): ?int;
}
