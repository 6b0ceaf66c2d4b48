<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;

/** Another process did not make a value within the time to wait, and the settings say not to make it here. */
final class NotMadeInTime extends RuntimeException implements LarderException
{
    public static function within(string $key, float $seconds): self
    {
        return new self(
            \sprintf(
                '"%s" was not made by another process within %.3f s, and AfterWait::Fail says not to make it here',
                $key,
                $seconds,
            ),
        );
    }

    public static function amongSoMany(string $key, int $count): self
    {
        return new self(\sprintf(
            'Another process makes "%s", and %d processes of this host wait for values already: no more may, as '
                . 'mostWaiting says',
            $key,
            $count,
        ));
    }
}
