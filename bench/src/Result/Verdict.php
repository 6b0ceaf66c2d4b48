<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** What may be said of a ratio by its interval; the same four words in every report. */
enum Verdict: string
{
    case Faster = 'faster';
    case Slower = 'slower';

    /** The whole interval lies within 5 % of 1, and does not show a difference of 2.5 % or more. */
    case Equal = 'equal';

    /** The interval holds 1 and more, there are too few blocks for one, or one of the two has no number. */
    case CannotTell = 'cannot tell';

    /** A difference up to this share is no reason to change anything. */
    public const WORTH = 0.05;

    /** An interval that lies wholly beyond this share shows a difference, however narrow it is. */
    public const SHOWN = 0.025;

    /** @param bool $moreIsFaster false for CPU time, of which less is better */
    public static function of(?float $low, ?float $high, bool $moreIsFaster = true): self
    {
        if ($low === null || $high === null) {
            return self::CannotTell;
        }
        $isShown = $low > 1.0 + self::SHOWN || $high < 1.0 / (1.0 + self::SHOWN);

        return match (true) {
            !$isShown && $low >= 1.0 / (1.0 + self::WORTH) && $high <= 1.0 + self::WORTH => self::Equal,
            $low > 1.0 => $moreIsFaster ? self::Faster : self::Slower,
            $high < 1.0 => $moreIsFaster ? self::Slower : self::Faster,
            default => self::CannotTell,
        };
    }
}
