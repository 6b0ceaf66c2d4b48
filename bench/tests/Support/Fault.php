<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Support;

enum Fault: string
{
    case OtherKey = 'other-key';
    case Truncated = 'truncated';
    case OldGeneration = 'old-generation';

    /** Every 200th set is acknowledged and not done. */
    case DropsSets = 'drops-sets';

    /** Right, and a tenth slower. */
    case Slow = 'slow';
}
