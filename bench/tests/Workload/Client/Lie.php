<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

/** What is wrong with a store. */
enum Lie: string
{
    case None = 'nothing';

    /** A read gives what another key has. */
    case OtherKey = 'other key';

    /** A read gives all but the last byte. */
    case Truncated = 'truncated';

    /** A read gives the first value that the key ever had. */
    case Old = 'old';

    /** Every 1,000th write is answered and not done. */
    case DropsWrites = 'drops writes';

    /** A read of many gives all but one. */
    case MissingKey = 'missing key';

    /** A read of many gives one more. */
    case ExtraKey = 'extra key';

    /** Every 100th number is one too many. */
    case OffByOne = 'off by one';

    /** Every 100th answer to a question is no. */
    case No = 'no';

    /** Deletes do nothing. */
    case KeepsDeleted = 'keeps deleted';
}
