<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

/** A setting of PDO with which a RecordingPdo could not keep its promises. */
final class InvalidConnection extends InvalidArgumentException implements LarderException
{
    public static function attribute(string $attribute, string $allowed): self
    {
        return new self(\sprintf('A RecordingPdo needs %s to be %s.', $attribute, $allowed));
    }

    /** @param list<string> $known */
    public static function driver(string $driver, array $known): self
    {
        return new self(\sprintf(
            'Larder records the connections of DBAL\'s drivers %s: this one has the driver %s.',
            implode(', ', $known),
            $driver,
        ));
    }
}
