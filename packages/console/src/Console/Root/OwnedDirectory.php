<?php

declare(strict_types=1);

namespace Larder\Console\Root;

use Larder\Console\Refused;

/**
 * The page directory, which root makes once for php-fpm's user: what is made in it gets nginx's group, and nobody else
 * may read it.
 *
 * @internal
 */
final readonly class OwnedDirectory
{
    private const MODE = 0o2750;

    private function __construct() {}

    /**
     * @param string $user  php-fpm's; empty: who has it already
     * @param string $group nginx's; empty: the user's
     *
     * @throws Refused
     */
    public static function make(string $path, string $user, string $group): void
    {
        $owner = $user === '' ? null : posix_getpwnam($user);
        $readers = $group === '' ? null : posix_getgrnam($group);
        if ($owner === false || $readers === false) {
            throw Refused::because($owner === false ? "There is no user \"$user\"" : "There is no group \"$group\"");
        }
        // Whoever may rename it could have something else given away.
        $above = Holder::of(\dirname($path));
        if ($above->user !== 0) {
            throw Refused::because("Root gives $path to nobody, since $above->place is not root's alone");
        }
        $found = @lstat($path);
        if ($found === false && $owner === null) {
            throw Refused::because("There is no $path: say by --user to whom root shall give it");
        }
        if ($found !== false && ($found['mode'] & 0o170000) !== 0o040000) {
            throw Refused::because("$path is no directory");
        }
        if ($found !== false && $owner !== null && $found['uid'] !== $owner['uid']) {
            $has = Holder::nameOf($found['uid']);
            throw Refused::because("$path belongs to $has: take it away, or give all of it to $user by chown -R");
        }
        $isMade = $found !== false || @mkdir($path, 0o700, true);
        $isGiven = $isMade
            && ($owner === null || $found !== false || @chown($path, $owner['uid']))
            && @chgrp($path, $readers['gid'] ?? $owner['gid'] ?? (int) filegroup($path))
            && @chmod($path, self::MODE);
        if (!$isGiven) {
            $reason = error_get_last()['message'] ?? 'unknown reason';
            throw Refused::because("Root could not make $path: $reason");
        }
    }
}
