<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * How nginx puts the parts of a page together. Nothing, for a site without parts.
 *
 * SSI is on for what is stored alone, in which Larder has written all commands: never for an answer of PHP. A visitor
 * cannot ask for a part or a shell. Where an include leads, the request's own URI is that of a
 * page, and no URI of a part can be one.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxParts
{
    /** What a part may be answered by beside 200: then it is empty. nginx can only be given single ones. */
    private const FAILED = '301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 413 415 418 422 423 425 428'
        . ' 429 431 451 500 501 502 503 504 507 508';

    /**
     * @param string $name  of the upstream of PHP; starts the names of variables and locations
     * @param string $place below which this site has locations that are no page's
     */
    public function __construct(
        private Site $site,
        private NginxPhp $php,
        private NginxMemcached $memcached,
        private string $name,
        private string $place,
        private NginxContexts $contexts,
        private NginxStatuses $statuses,
        private NginxFollowed $followed,
    ) {}

    public function isUsed(): bool
    {
        return $this->site->parts !== [];
    }

    /**
     * What follows where no page is found.
     *
     * @param int    $number of the area
     * @param string $shells the location that looks for a shell
     * @param string $way    the location for what has neither
     */
    public function next(Area $area, int $number, string $shells, string $way): string
    {
        return $this->isUsed() && str_starts_with($area->type, 'text/html')
            ? "error_page 404 = $shells; # perhaps it has parts\nerror_page 403 405 500 = $way;\n"
            : $this->statuses->next($number, $way);
    }

    /**
     * The locations of shells.
     *
     * @param list<string> $buckets the start of a page's key, by the number of its area
     * @param list<string> $ways    the location for what is not there, by the number of its area
     */
    public function shells(array $buckets, array $ways): string
    {
        if (!$this->isUsed()) {
            return '';
        }
        $text = "# Pages with parts: nginx puts these in. Only what is stored has commands, and all are Larder's.\n";
        foreach ($this->site->areas as $number => $area) {
            if (!str_starts_with($area->type, 'text/html')) {
                continue;
            }
            $type = 'default_type ' . NginxText::literal($area->type) . ";\n";
            foreach ($this->lookUps($buckets[$number]) as $from => $lookUp) {
                $shell = $this->shell(PagePath::SHELL) . $type . $lookUp;
                $text .= self::location("@{$this->name}_shell$from$number", $shell
                    . $this->statuses->next($number, $ways[$number]));
            }
        }
        $key = PagePath::SHELL;
        $last = $this->site->memcached === []
            ? "rewrite ^" . preg_quote($this->place) . "($key/.*)\$ \$1" . PagePath::SUFFIX . " break;\n"
            : "location ~ ^" . preg_quote($this->place) . "($key/.*)\$ {\n"
                . NginxText::indented(
                    $this->memcached->fetch('$1')
                        . "error_page 403 404 405 500 = @{$this->name}_bypass;\n",
                ) . "}\n";

        return $text . "\n# The same for a page that PHP has just stored. If a change was faster, PHP makes it whole.\n"
            . self::location(
                "^~ {$this->place}$key/",
                "internal;\n" . strtr($this->shell(''), [
                    '"larder; hit"' => '$upstream_http_cache_status',
                ]) . 'default_type ' . NginxText::literal(Area::HTML) . ";\n" . $last
                    . "error_page 403 404 405 500 = @{$this->name}_bypass;\n",
            );
    }

    /** The locations of parts. */
    public function parts(): string
    {
        if (!$this->isUsed()) {
            return '';
        }
        $parts = $this->site->parts;
        uasort($parts, static fn(Part $a, Part $b): int => \strlen($b->prefix) <=> \strlen($a->prefix));
        $inner = $made = $ways = '';
        $make = rtrim($this->site->path, '/') . PartName::MAKE;
        foreach ($parts as $number => $part) {
            $way = "@{$this->name}_part_$number";
            $places = ['= ' . $this->site->include($part->prefix), $this->site->partUri($part->prefix) . '/'];
            foreach ($places as $place) {
                $inner .= "\n# Part {$part->prefix}\n" . self::location(
                    $place,
                    $this->lookUp($part) . "error_page 403 404 405 418 500 502 504 = $way;\n",
                );
            }
            $made .= $this->site->memcached === [] || $part->kind === PartKind::Private ? '' : "\n" . self::location(
                '~ ^' . preg_quote($make . $part->prefix) . '(?:/|$)',
                "rewrite ^" . preg_quote($make) . '(.*)$ ' . $this->site->partUri('$1') . " break;\n"
                    . "error_page 403 404 405 500 = $way;\n",
            );
            $ways .= "\n" . self::location($way, $this->ofPhp($part));
        }

        return "# Parts of pages, for an include alone: for a visitor there is none.\n"
            . self::location('^~ ' . $this->site->partUri(''), $this->inner() . "return 404;\n" . $inner)
            . ($made === '' ? '' : "\n# Where the stub of a part leads.\n"
                . self::location("^~ $make", $this->inner() . "return 404;\n" . $made))
            . ltrim($ways, "\n")
            . "\n# A part that failed is empty. The logs of nginx and PHP say why.\n"
            . self::location(
                "@{$this->name}_nothing",
                $this->onlyIncluded() . 'default_type ' . NginxText::literal(Area::HTML) . ";\nreturn 200 \"\";\n",
            );
    }

    /** @return array<string, string> by the end of the location's name */
    private function lookUps(string $bucket): array
    {
        // The look at the page itself has made its file of the URI: one below another root.
        return $this->site->memcached === []
            ? ['_' => '']
            : [
                '_' => $this->memcached->fetch(PagePath::SHELL . $bucket . '$uri'),
                '_other_' => $this->memcached->fetch(PagePath::SHELL . $bucket . "\${$this->name}_other"),
            ];
    }

    private function lookUp(Part $part): string
    {
        if ($part->kind === PartKind::Private) {
            return "return 418;\n";
        }
        $before = ($part->kind === PartKind::ByContext ? "/@=\${$this->name}_context" : '')
            . ($part->area->ttl === null ? '' : "/@\${$this->name}_bucket_{$part->area->ttl}");

        return $this->site->memcached === []
            ? "root {$this->followed->directory()}/current$before;\n"
            : $this->followed->test(418)
                . "ssi on; # for the stub of a part that is being made\nssi_types *;\nssi_silent_errors on;\n"
                . $this->memcached->part($before . '$uri');
    }

    private function inner(): string
    {
        return "internal;\n" . $this->settings() . $this->contexts->settings()
            . 'default_type ' . NginxText::literal(Area::HTML) . ";\ngzip off;\ngunzip off;\nssi off;\n";
    }

    private function ofPhp(Part $part): string
    {
        $isPrivate = $part->kind === PartKind::Private;
        $key = ($part->kind === PartKind::ByContext ? "/@=\${$this->name}_context" : '')
            . ($part->area->ttl === null ? '' : "/@\${$this->name}_bucket_{$part->area->ttl}");

        return $this->onlyIncluded()
            . ($this->site->memcached === [] ? 'rewrite ^(.*)' . PagePath::SUFFIX . "$ $1 break;\n" : '')
            . $this->php->part($isPrivate ? '' : $key . '$uri', $isPrivate)
            . "fastcgi_intercept_errors on;\n"
            . 'error_page ' . self::FAILED . " = @{$this->name}_nothing;\n";
    }

    /** No URI of a part can be a page's. So this is empty for a visitor who asks for a part himself. */
    private function onlyIncluded(): string
    {
        return "if (\${$this->name}_uri = \"\") { return 404; }\n";
    }

    /**
     * Without ETag: the whole page is another one for each visitor, and at each time.
     *
     * @param string $below where the files of shells are, below those of pages
     */
    private function shell(string $below): string
    {
        return $this->settings($below)
            . $this->together()
            . "# A type with a charset is no type that ssi_types and gzip_types could name.\n"
            . "ssi on;\nssi_types *;\nssi_silent_errors on;\nssi_last_modified off;\n"
            . "gzip on;\ngzip_types *;\ngzip_comp_level 1;\ngzip_proxied any;\ngzip_vary off;\n"
            . ($this->site->memcached === []
                ? "add_header Vary \"Accept-Encoding\";\nadd_header Cache-Control \"private, no-cache\";\n"
                : '')
            . 'add_header Cache-Status "larder; hit"' . ($this->site->memcached === [] ? '' : ' always') . ";\n"
            . ($this->site->notes ? "add_header Server-Timing \"larder;desc=hit\";\n" : '')
            . NginxPhp::siteHeaders($this->site, $this->site->memcached === [] ? '' : ' always');
    }

    /** What waits for PHP at each request must not hold back what stands before it. */
    private function together(): string
    {
        $private = array_filter($this->site->parts, static fn(Part $part): bool => $part->kind === PartKind::Private);

        return $private === []
            ? "postpone_output 16k; # the pieces of a page in one packet: each by itself would cost as much as a part\n"
            : '';
    }

    private function settings(string $below = ''): string
    {
        $ofStore = $this->site->memcached === []
            ? "root {$this->followed->directory()}/current$below;\nopen_file_cache off;\ndisable_symlinks off;\n"
            : "root /dev/null;\nsrcache_ignore_content_encoding on;\nsrcache_response_cache_control off;\n";

        return $ofStore
            . "types {}\nlog_not_found off;\netag off;\nif_modified_since off;\n"
            . "sendfile off; # it would send each piece by itself, and then wait\n"
            . "gzip_static off;\ncharset off;\nexpires off;\nrecursive_error_pages on;\n";
    }

    private static function location(string $place, string $text): string
    {
        return "location $place {\n" . NginxText::indented($text) . "}\n";
    }
}
