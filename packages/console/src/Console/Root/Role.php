<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use RuntimeException;

/**
 * What this process of `larder` is where root starts the program.
 *
 * Root's own process includes nothing of a site. It has a second one, nobody's, look at what the site's file says, and
 * a third one do the command, as the user who has the page directory. Each is this program again, which reads here,
 * before it includes anything, whom it shall become. It needs no other class for that.
 *
 * @internal
 */
final readonly class Role
{
    /** The environment's name for what a process is told by the one that started it. */
    public const TOLD = 'LARDER_ROOT';

    public const USER = 'user';
    public const ROOT = 'root';
    public const OUTLINE = 'outline';
    public const WORK = 'work';

    /** @param array<array-key, mixed> $told */
    private function __construct(public string $name, public array $told = []) {}

    /** @throws RuntimeException if root cannot be given up */
    public static function take(): self
    {
        if (!self::isRoot()) {
            return new self(self::USER);
        }
        $text = getenv(self::TOLD);
        putenv(self::TOLD);
        unset($_ENV[self::TOLD], $_SERVER[self::TOLD]);
        $told = $text === false ? null : json_decode($text, true);
        $name = \is_array($told) ? $told['role'] ?? null : null;
        if (!\is_array($told) || !\in_array($name, [self::OUTLINE, self::WORK], true)) {
            return new self(self::ROOT);
        }
        ['user' => $user, 'group' => $group, 'login' => $login] = $told + ['user' => null, 'group' => null,
            'login' => null];
        if (!\is_int($user) || !\is_int($group) || !\is_string($login)) {
            throw new RuntimeException('larder was not told whom to become');
        }
        self::leaveTerminal();
        if ($user !== 0) {
            self::become($user, $group, $login);
        }

        return new self($name, $told);
    }

    /** Whether what this process includes is trusted by root. */
    public function includesRootsAlone(): bool
    {
        return \in_array($this->name, [self::ROOT, self::OUTLINE], true);
    }

    /** Whether this user is root, also where PHP has no function to ask. */
    private static function isRoot(): bool
    {
        return \function_exists('posix_geteuid')
            ? posix_geteuid() === 0
            : \in_array(@fileowner('/proc/self'), [0, false], true);
    }

    private static function leaveTerminal(): void
    {
        if (posix_setsid() < 0) {
            throw new RuntimeException('larder could not leave the terminal');
        }
    }

    /** For good: real, effective and saved, and the groups first, since nobody but root may change them. */
    private static function become(int $user, int $group, string $login): void
    {
        $isDone = posix_initgroups($login, $group) && posix_setgid($group) && posix_setuid($user);
        if (
            !$isDone || posix_getuid() !== $user || posix_geteuid() !== $user
            || posix_getgid() !== $group || posix_getegid() !== $group || @posix_setuid(0) || @posix_seteuid(0)
        ) {
            throw new RuntimeException("larder could not become the user $user for good");
        }
    }
}
