<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/** @internal */
enum Outcome: string
{
    case Made = 'made';
    case There = 'there';
    case NotStored = 'not_stored';
    case Failed = 'failed';
}
