<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * Places for the processes of one user on one host that wait: locked files, which the kernel unlocks when their holder
 * ends.
 *
 * @internal
 */
final readonly class LocalPlaces
{
    private function __construct() {}

    /**
     * @param int         $count of places
     * @param string|null $below null: the system's directory for temporary files
     *
     * @return resource|false|null a place, until it is closed; false: all are taken; null: this host has none
     */
    public static function take(int $count, ?string $below = null): mixed
    {
        $directory = LocalDirectory::of($below);
        if ($directory === null) {
            return null;
        }
        // Not all begin at the same one.
        $first = $count > 0 ? random_int(0, $count - 1) : 0;
        for ($i = 0; $i < $count; ++$i) {
            $path = $directory . '/waiting.' . (($first + $i) % $count);
            $file = @fopen($path, 'ce');
            if ($file === false) {
                return null;
            }
            if (flock($file, LOCK_EX | LOCK_NB)) {
                // What is old is swept away there.
                @touch($path);

                return $file;
            }
        }

        return false;
    }
}
