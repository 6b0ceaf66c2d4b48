<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** Who the servers' workers are: this user, or, when that is root, www-data. */
final readonly class Account
{
    private function __construct(
        /** Null: nothing to change to, the workers are who we are. */
        public ?string $user,
        public ?string $group,
    ) {}

    public static function of(?string $user = null): self
    {
        if (posix_geteuid() !== 0) {
            return new self(null, null);
        }
        $entry = posix_getpwnam($user ?? 'www-data');
        $group = $entry === false ? false : posix_getgrgid($entry['gid']);
        if ($entry === false || $group === false) {
            throw ServerFailed::because(\sprintf('there is no user %s for the servers to run as', $user ?? 'www-data'));
        }

        return new self($entry['name'], $group['name']);
    }

    /** Www-data if it may enter every directory above the path; else who we are, as in a checkout below root's home. */
    public static function ableToReach(string $path): self
    {
        $account = self::of();
        try {
            $account->mustReach($path);
        } catch (ServerFailed) {
            return self::of('root');
        }

        return $account;
    }

    /** Makes the directory if need be, and its owner the workers' account: of all that is in it too. */
    public function own(string $directory): void
    {
        if (!is_dir($directory) && !@mkdir($directory, 0o755, true) && !is_dir($directory)) {
            throw ServerFailed::because('cannot make the directory ' . $directory);
        }
        if ($this->user === null || $this->group === null) {
            return;
        }
        $this->take($directory);
        $entries = new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS);
        foreach (new RecursiveIteratorIterator($entries, RecursiveIteratorIterator::SELF_FIRST) as $entry) {
            if ($entry instanceof SplFileInfo) {
                $this->take($entry->getPathname());
            }
        }
        $this->mustReach($directory);
    }

    /** A directory above that keeps others out would make every request a 403 or a 502, and say so in a log at most. */
    public function mustReach(string $path): void
    {
        if ($this->user === null || $this->user === 'root') {
            return;
        }
        for ($directory = \dirname($path); $directory !== '/'; $directory = \dirname($directory)) {
            $status = stat($directory);
            $owner = posix_getpwnam($this->user);
            if ($status !== false && $owner !== false && $status['uid'] !== $owner['uid'] && $status['gid'] !== $owner['gid'] && ($status['mode'] & 0o001) === 0) {
                throw ServerFailed::because(\sprintf('the servers run as %s, who may not enter %s: use another directory than %s', $this->user, $directory, $path));
            }
        }
    }

    private function take(string $path): void
    {
        if ($this->user !== null && $this->group !== null) {
            @lchown($path, $this->user);
            @lchgrp($path, $this->group);
        }
    }
}
