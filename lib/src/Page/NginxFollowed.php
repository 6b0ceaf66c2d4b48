<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The way of nginx to pages that end by themselves when nobody follows the database's log. Nothing, for a site that is
 * not followed.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxFollowed
{
    private string $variable;

    /** @param string $name starts the names of variables and locations */
    public function __construct(private Site $site, string $name)
    {
        $this->variable = "\${$name}_second";
    }

    /** The directory of the site's pages. */
    public function directory(): string
    {
        return $this->site->followedPages?->link($this->variable) ?? $this->site->pages;
    }

    /** @param int $status that a request for a page in memcached has, if it may not be served one */
    public function test(int $status): string
    {
        return $this->site->followedPages === null || $this->site->memcached === []
            ? ''
            : "if (!-d {$this->directory()}) { return {$status}; } # nobody follows the database\n";
    }
}
