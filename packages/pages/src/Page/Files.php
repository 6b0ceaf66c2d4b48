<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * The page store's system calls. Each is one step of the algorithm. Every failure but a missing file is thrown.
 *
 * @internal
 */
interface Files
{
    /**
     * Makes a file with these bytes, under a name that must not exist.
     *
     * @throws PageStoreFailed also after a short write, which leaves no file
     */
    public function write(string $path, string $bytes): void;

    /**
     * Makes a whole file that nobody changes any more in one step, or leaves one that is there.
     *
     * @throws PageStoreFailed
     */
    public function keep(string $path, string $bytes): void;

    /**
     * Makes a symbolic link, under a name that must not exist.
     *
     * @throws PageStoreFailed
     */
    public function link(string $path, string $target): void;

    /** @return string|null where a symbolic link leads to; null: it is missing or none, or nothing is there */
    public function target(string $path): ?string;

    /**
     * Sets the modification time of a file that is not empty.
     *
     * @throws PageStoreFailed also if it is gone: PHP's touch() makes an empty file then, which is removed again
     */
    public function stamp(string $path, int $mtime): void;

    /**
     * Moves a file or a directory within the file system and replaces another file. Makes the directory that it goes
     * to, for as long as others remove it.
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

    /** @return int|null the modification time; null: the file is missing or cannot be seen */
    public function mtime(string $path): ?int;

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
     * @return list<string> of what is in the directory; empty if it is missing
     *
     * @throws PageStoreFailed
     */
    public function names(string $directory): array;

    /**
     * @return list<string> those of the names that are in the directory
     *
     * @throws PageStoreFailed
     */
    public function present(string $directory, string ...$names): array;

    /**
     * @return array<string, bool> by name, whether the entry is a directory; empty if $directory is missing
     *
     * @throws PageStoreFailed
     */
    public function entries(string $directory): array;

    /** @return bool whether the directory was empty and is removed */
    public function removeDirectory(string $path): bool;

    /** @return int|null seconds since the file or its inode changed; null: it is missing */
    public function age(string $path): ?int;

    /** @return string|null device and inode, which no other directory of this boot has by then; null: it is missing */
    public function node(string $path): ?string;

    /** The kind of file system, as the kernel names it, of what is or will be at this path; empty: nobody can tell. */
    public function kind(string $path): string;
}
