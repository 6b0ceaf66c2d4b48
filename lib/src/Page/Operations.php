<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Metrics\Counters;
use Larder\Store;
use Psr\Log\LoggerInterface;

/** What the commands for a site need: `larder deploy`, `stats`, `top` and `doctor`. */
final readonly class Operations
{
    /**
     * @param list<string>|null $code directories with the code, which `larder deploy` lists: a page that was made by
     *     other code is not stored. null: the Composer project, without var, node_modules and names that begin with a
     *     dot; empty: nothing is listed, so pages of old code may survive a deploy
     * @param string|null $hitLog absolute file in which nginx notes each hit by an empty line, so that they are
     *     counted; its directory must be there when nginx starts. null: they are not counted
     * @param (Closure(Counters): Counters)|null $counters gets the site's own counters, which `larder stats` shows, and
     *     returns what counts in their place, such as a MeterCounters around them
     * @param (Closure(LoggerInterface): Store)|null $store opens the store of the site's values, with this logger, for
     *     `larder doctor`, which asks whether it answers
     * @param bool $notes for demonstrations and development: a page of HTML ends with a comment that says when it was
     *     made and from what names, which have values of the data in them; hits of nginx have a header Server-Timing,
     *     which scripts can read
     */
    public function __construct(
        public ?array $code = null,
        public ?string $hitLog = null,
        public ?Closure $counters = null,
        public ?Closure $store = null,
        public bool $notes = false,
    ) {}
}
