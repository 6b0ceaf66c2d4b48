<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeRefused;

/**
 * Takes the list of a release's files from the pool.
 *
 * @internal
 */
final readonly class ReleaseList
{
    /** @throws CodeRefused if it is not there, or not the one that was signed */
    public static function fetch(Pool $pool, PoolKeys $keys, Head $head): Manifest
    {
        return Manifest::decode(self::text($pool, $keys, $head));
    }

    /** @return string JSON, as it was signed for */
    public static function text(Pool $pool, PoolKeys $keys, Head $head): string
    {
        $found = $pool->fetch(array_map($keys->piece(...), $head->pieces));
        $compressed = '';
        foreach ($head->pieces as $hash) {
            $piece = $found[$keys->piece($hash)] ?? null;
            if ($piece === null) {
                throw CodeRefused::because(\sprintf(
                    'The list of the files of release %s is not in the pool any more (%s): push it again',
                    $head->release,
                    substr($hash, 0, 12),
                ));
            }
            if (!hash_equals($hash, hash('sha256', $piece))) {
                throw CodeRefused::because(\sprintf(
                    'The list of the files of release %s in the pool is not the one that was signed (%s)',
                    $head->release,
                    substr($hash, 0, 12),
                ));
            }
            $compressed .= $piece;
        }

        return PackedFiles::expand($compressed, $head->bytes)
            ?? throw CodeRefused::because("The list of the files of release {$head->release} cannot be expanded");
    }
}
