<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/** A share or a confidence is outside of 0 to 1. */
final class BadShare extends \InvalidArgumentException
{
    /** @internal */
    public static function of(string $what, float $share): self
    {
        return new self(\sprintf('%s must lie between 0 and 1, not %s.', $what, $share));
    }
}
