<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/**
 * The numbers of blocks at which a chart is looked at, to end it when its intervals tell enough.
 *
 * Who looks often and stops at a lucky moment errs more often than a single interval of 95 % would. So these are
 * repeated confidence intervals (C. Jennison and B. W. Turnbull, "Interim Analyses: The Repeated Confidence Interval
 * Approach", Journal of the Royal Statistical Society B 51, 1989): the allowed error of 5 % is spent in equal parts on
 * the planned looks (K. K. G. Lan and D. L. DeMets, Biometrika 70, 1983), by Bonferroni's inequality, which holds
 * however the looks depend on each other. All intervals of a chart hold together with 95 %, at whichever look it ends.
 */
final readonly class Looks
{
    private const ERROR = 0.05;

    /** Blocks grow by this factor from look to look. */
    private const GROWTH = 1.4;

    /** @param non-empty-list<int> $blocks ascending */
    private function __construct(public array $blocks) {}

    /** One look, after a given number of blocks. */
    public static function once(int $blocks): self
    {
        return new self([$blocks]);
    }

    public static function between(int $first, int $most): self
    {
        $blocks = [$first];
        for ($next = $first * self::GROWTH; $next <= $most; $next *= self::GROWTH) {
            $blocks[] = (int) ceil($next);
        }

        return new self($blocks);
    }

    public function first(): int
    {
        return $this->blocks[0];
    }

    public function most(): int
    {
        return $this->blocks[\count($this->blocks) - 1];
    }

    /** Confidence of each interval when there are so many planned looks. */
    public static function confidence(int $looks): float
    {
        return 1.0 - self::ERROR / max(1, $looks);
    }
}
