<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** What a server has of earlier times, when the processes begin. */
enum Remains: string
{
    case None = 'nothing is left';
    case Unmarked = 'a page is left on a server that does not know whose it is';
    case Foreign = 'a page of another life is left';
    case Ahead = 'a page is left whose registration the ledger lost';
}
