<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

/** What the Deployer tells the others: numbers that only rise, but for the last. Each has a place for each host. */
enum Mark
{
    /** The newest release whose `larder deploy` has ended: no page of older code is a hit. */
    case Deployed;
    /** By host: the newest one that its php-fpm was reloaded after. No page at all is of older code there. */
    case Reloaded;
    /** The newest write of the SQL console that `larder flush` or `deploy` was run after: no page shows less. */
    case Flushed;
    /** 1: the code declares `news`; 0: it declares nothing. */
    case Declares;
}
