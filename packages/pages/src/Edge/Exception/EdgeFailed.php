<?php

declare(strict_types=1);

namespace Larder\Edge\Exception;

use Larder\Exception\LarderException;
use RuntimeException;
use Throwable;

/** A cache in front of the web servers did not drop what it should. It goes on to serve that until its ttl is over. */
final class EdgeFailed extends RuntimeException implements LarderException
{
    /** @param non-empty-array<string, string> $causes by server */
    public static function at(array $causes): self
    {
        $told = [];
        foreach ($causes as $server => $cause) {
            $told[] = $server . ': ' . $cause;
        }

        return new self(\sprintf(
            'not everything was purged (%s): larder purge tries it again',
            implode('; ', $told),
        ));
    }

    /** What an Edge of one's own threw. */
    public static function by(Throwable $failure): self
    {
        return new self('the edge failed: ' . $failure->getMessage(), previous: $failure);
    }
}
