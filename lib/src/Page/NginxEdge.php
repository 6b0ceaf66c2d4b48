<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What hits of nginx tell an edge. A file has no head, so they carry what nginx knows: the keys of the site and of the
 * page. A page out of memcached brings its own. Nothing, for a site without an edge.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxEdge
{
    /** @param string $prefix of the names of variables, with the $ */
    public function __construct(
        private Site $site,
        private string $prefix,
    ) {}

    /** For hits. */
    public function headers(): string
    {
        return $this->isUsed()
            ? "add_header {$this->site->edgeHeaders->keys} {$this->prefix}keys;\n"
                . "add_header {$this->site->edgeHeaders->control} {$this->prefix}kept;\n"
            : '';
    }

    /** For answers that are no page. */
    public static function hidden(Site $site): string
    {
        return $site->edge === null
            ? ''
            : "fastcgi_hide_header {$site->edgeHeaders->keys};\n"
                . "fastcgi_hide_header {$site->edgeHeaders->control};\n";
    }

    private function isUsed(): bool
    {
        return $this->site->edge !== null && $this->site->memcached === [];
    }
}
