<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Page\Site;
use Larder\Tests\Support\NewsSite;

/** The site of a NewsSite that is there already, for a site file. */
final readonly class FixtureSite
{
    public Site $site;

    public function __construct(string $directory)
    {
        $this->site = NewsSite::describe($directory);
    }
}
