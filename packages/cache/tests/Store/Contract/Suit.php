<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
}
