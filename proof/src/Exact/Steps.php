<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

/** Counts what a writer has done while others read. */
final class Steps
{
    public int $done = 0;
}
