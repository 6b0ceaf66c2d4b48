<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

enum CellState: string
{
    case Measured = 'measured';

    /** An error ended it; what was measured before is kept in the windows, but is no result. */
    case Failed = 'failed';

    /** A reply was not the reply to its request: the cell is void and has no windows. */
    case Wrong = 'wrong';

    /** The subject has no such operation, or its extension is not installed: the error says which. */
    case Absent = 'absent';
}
