<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Edge\EdgeKeys;

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

    /** For the http context. */
    public function maps(): string
    {
        if (!$this->isUsed()) {
            return '';
        }
        $headers = $this->site->edgeHeaders;
        $separator = $headers->separator();
        $keys = new EdgeKeys($this->site->name);

        return "\n# What the edge may keep of the hits, and by which keys it drops them. None with a time bucket.\n"
            . NginxText::map($this->prefix . 'page', $this->prefix . 'keys', [
                'default' => '""',
                NginxText::expression('^(?<larder_kept>/(?!@)[^\x20' . trim($separator) . ']*)$')
                    => '"' . $keys->site() . $separator . $keys->page('$larder_kept') . '"',
            ])
            . NginxText::map($this->prefix . 'keys', $this->prefix . 'kept', [
                'default' => '"' . $headers->control() . '"',
                '""' => '""',
            ]);
    }

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
