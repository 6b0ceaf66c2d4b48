<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Comparison;

/** A cell of two runs. */
final readonly class ComparedCell
{
    /**
     * @param Comparison|null $comparison the later run's figure through the earlier one's; null where either has no
     *     number
     * @param string|null     $change     what else happened: "measured, now failed: Connection reset"
     */
    public function __construct(
        public string $chart,
        public string $subject,
        public ?Comparison $comparison,
        public bool $regressed,
        public ?string $change = null,
    ) {}
}
