<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * The account that a server or its workers run as: this user; when that is root, another one.
 *
 * command() changes the account before a server starts. A server that changes it by itself also loses the wish to end
 * with its parent, and would outlive a program that is killed.
 */
final readonly class Account
{
    private function __construct(
        /** Null: nothing to change to, the workers are who we are. */
        public ?string $user,
        public ?string $group,
    ) {}

    /** No other than that of this process. */
    public static function current(): self
    {
        return new self(null, null);
    }

    /** A user by name, or www-data, when this is root; else this process's user. */
    public static function of(?string $user = null): self
    {
        if (posix_geteuid() !== 0) {
            return self::current();
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

    /**
     * The account that a server's package made for it, as the owner of the server's directory. Where that account is
     * not there or may not enter the directory, the server runs as this process does.
     */
    public static function packaged(string $user, string $directory): self
    {
        self::current()->own($directory);
        if (posix_geteuid() !== 0 || Program::find('setpriv') === null) {
            return self::current();
        }
        try {
            $account = self::of($user);
            $account->mustReach($directory . '/file');
            $account->own($directory);

            return $account;
        } catch (ServerFailed) {
            return self::current();
        }
    }

    /** The server runs as root, and many a server wants to be told that this is meant. */
    public function isRoot(): bool
    {
        return posix_geteuid() === 0 && ($this->user === null || $this->user === 'root');
    }

    /**
     * @param non-empty-list<string> $command
     *
     * @return non-empty-list<string> which replaces itself by the command, so that the process id stays
     */
    public function command(array $command): array
    {
        $setpriv = Program::find('setpriv');
        if ($this->user === null || $setpriv === null) {
            return $command;
        }
        $change = ['--reuid=' . $this->user, '--regid=' . $this->group, '--clear-groups', '--pdeathsig=TERM'];

        return [$setpriv, ...$change, ...$command];
    }

    /** Makes this process run as the account, for good. */
    public function become(): void
    {
        $user = $this->user === null ? false : posix_getpwnam($this->user);
        if ($user === false || $user['uid'] === posix_geteuid()) {
            return;
        }
        ['name' => $name, 'uid' => $uid, 'gid' => $gid] = $user;
        if (!posix_initgroups($name, $gid) || !posix_setgid($gid) || !posix_setuid($uid)) {
            throw ServerFailed::because("cannot become {$user['name']}");
        }
    }

    /** Makes the directory if need be, and gives it with all that is in it to the account. */
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

    /**
     * A directory above that keeps others out would make every request a 403 or a 502, which only a log would explain.
     */
    public function mustReach(string $path): void
    {
        if ($this->user === null || $this->user === 'root') {
            return;
        }
        for ($directory = \dirname($path); $directory !== '/'; $directory = \dirname($directory)) {
            $status = stat($directory);
            $user = posix_getpwnam($this->user);
            if ($status === false || $user === false || ($status['mode'] & 0o001) !== 0) {
                continue;
            }
            if ($status['uid'] !== $user['uid'] && $status['gid'] !== $user['gid']) {
                throw ServerFailed::because(\sprintf(
                    'the servers run as %s, who may not enter %s: use another directory than %s',
                    $this->user,
                    $directory,
                    $path,
                ));
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
