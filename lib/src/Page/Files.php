<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;

/** The system calls of the page store, each one step of the algorithm. Every failure but "it is gone" is thrown. */
interface Files
{
    /**
     * Makes a file under a name that must not exist, with all of the bytes.
     *
     * @throws PageStoreFailed also for a short write; nothing is left then
     */
    public function write(string $path, string $bytes): void;

    /**
     * Gives a file a second name.
     *
     * @throws PageStoreFailed
     */
    public function link(string $from, string $to): void;

    /**
     * Sets the modification time. Only for a name that nobody else removes: PHP's touch() would make an empty file of it.
     *
     * @throws PageStoreFailed
     */
    public function stamp(string $path, int $mtime): void;

    /**
     * Moves a file within the file system, over another if there is one.
     *
     * @return bool false: $from is gone
     *
     * @throws PageStoreFailed
     */
    public function rename(string $from, string $to): bool;

    /**
     * Removes a file. Returns when it is gone, whoever removed it.
     *
     * @throws PageStoreFailed
     */
    public function unlink(string $path): void;

    /** @return array{bytes: string, mtime: int}|null of one and the same file; null: there is none, or it cannot be read */
    public function read(string $path): ?array;

    /**
     * Makes a directory with its parents; an existing one is fine.
     *
     * @throws PageStoreFailed
     */
    public function makeDirectory(string $path): void;

    /**
     * Makes a symbolic link, over another if there is one, in one step.
     *
     * @throws PageStoreFailed
     */
    public function point(string $link, string $target): void;

    /**
     * @return array<string, bool> entry to whether it is a directory; empty for a directory that is not there
     *
     * @throws PageStoreFailed
     */
    public function entries(string $directory): array;

    /** Removes a directory if it is empty. */
    public function removeDirectory(string $path): void;

    /** Seconds since the name's file was last changed in any way; null: there is none. */
    public function age(string $path): ?int;
}
