<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/**
 * A page of the example site, asked for over HTTP by a load generator. connect() takes the site's endpoint, and opens
 * nothing.
 */
interface Page extends Subject
{
    public function url(): string;
}
