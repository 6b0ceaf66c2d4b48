<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * Where the processes of one user on one host keep what they tell each other.
 *
 * @internal
 */
final readonly class LocalDirectory
{
    private function __construct() {}

    /**
     * @param string|null $below null: the system's directory for temporary files
     *
     * @return string|null null: this host has no directory that this user alone may write to
     */
    public static function of(?string $below = null): ?string
    {
        if (!\function_exists('posix_geteuid')) {
            return null;
        }
        $user = posix_geteuid();
        $directory = ($below ?? sys_get_temp_dir()) . '/larder-' . $user;
        if (!is_dir($directory)) {
            @mkdir($directory, 0o700);
        }
        $status = @lstat($directory);
        if ($status === false || $status['uid'] !== $user || ($status['mode'] & 0o170022) !== 0o040000) {
            return null;
        }
        // Others must not read what is left there, nor lock it.
        $isOwn = ($status['mode'] & 0o077) === 0 || @chmod($directory, 0o700);

        return $isOwn ? $directory : null;
    }
}
