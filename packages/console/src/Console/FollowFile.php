<?php

declare(strict_types=1);

namespace Larder\Console;

use Error;
use Larder\Follow\Exception\InvalidFollower;
use Larder\Follow\Followed;

/** @internal The file that says what `larder follow` follows. */
final readonly class FollowFile
{
    /**
     * @throws Refused
     * @throws InvalidFollower
     */
    public static function read(string $file): Followed
    {
        if (!is_file($file)) {
            throw Refused::because("There is no file \"$file\". Name the PHP file that returns what is followed");
        }
        try {
            $followed = (static fn(string $path): mixed => require $path)((string) realpath($file));
        } catch (Error $error) {
            throw InvalidFollower::because(
                \sprintf('%s, in %s:%d', $error->getMessage(), $error->getFile(), $error->getLine()),
            );
        }

        return $followed instanceof Followed
            ? $followed
            : throw InvalidFollower::because(
                \sprintf('%s returns %s, not a %s', $file, get_debug_type($followed), Followed::class),
            );
    }
}
