<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

enum BoardSeries
{
    case Reads;
    case Longest;
}
