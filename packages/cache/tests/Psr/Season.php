<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

enum Season: string
{
    case Spring = 'spring';
    case Autumn = 'autumn';
}
