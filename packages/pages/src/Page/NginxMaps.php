<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The cases of the maps that nginx finds a page's key by: expressions made from what the site says.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxMaps
{
    /** PCRE for the paths of what is no file for visitors: hidden, a source of PHP, or an editor's copy of one. */
    public const NEVER = '(?i)/\.(?!well-known/)|~$|\.(?:phar|php[0-9]*|phps|pht|phtml)(?:[./_~-]|$)';

    /**
     * Endings of the files that visitors get, by type. All others are PHP's: a list of what must not be sent, such as
     * dumps, archives, keys and databases with their journals, would never be whole.
     */
    private const TYPES = [
        'application/json' => ['json', 'map'],
        'application/manifest+json' => ['webmanifest'],
        'application/pdf' => ['pdf'],
        'application/wasm' => ['wasm'],
        'application/xml' => ['xml', 'xsl'],
        'audio/mp4' => ['m4a'],
        'audio/mpeg' => ['mp3'],
        'audio/ogg' => ['oga', 'ogg', 'opus'],
        'audio/wav' => ['wav'],
        'font/otf' => ['otf'],
        'font/ttf' => ['ttf'],
        'font/woff' => ['woff'],
        'font/woff2' => ['woff2'],
        'image/avif' => ['avif'],
        'image/gif' => ['gif'],
        'image/jpeg' => ['jpeg', 'jpg'],
        'image/png' => ['apng', 'png'],
        'image/svg+xml' => ['svg'],
        'image/webp' => ['webp'],
        'image/x-icon' => ['ico'],
        'text/css; charset=utf-8' => ['css'],
        'text/csv; charset=utf-8' => ['csv'],
        'text/html; charset=utf-8' => ['htm', 'html'],
        'text/javascript; charset=utf-8' => ['js', 'mjs'],
        'text/plain; charset=utf-8' => ['txt'],
        'text/vtt; charset=utf-8' => ['vtt'],
        'video/mp4' => ['m4v', 'mp4'],
        'video/webm' => ['webm'],
    ];

    /** Types of endings that a site may name; of others nginx says application/octet-stream. */
    private const MORE_TYPES = ['application/gzip' => ['gz', 'tgz'], 'application/zip' => ['zip']];

    /** @param string $name starts the names of variables */
    public function __construct(
        private Site $site,
        private string $name,
    ) {}

    /** @return array<string, list<string>> endings of files by their type */
    public function types(): array
    {
        return self::TYPES + self::MORE_TYPES;
    }

    /** PCRE for the paths of files, behind the method and a colon. What proves a domain to others has no ending. */
    public function files(): string
    {
        $endings = implode('|', [...array_merge(...array_values(self::TYPES)), ...$this->site->serving->files]);

        return "^(?:GET|HEAD):/(?:.*\\.(?i:$endings)|\\.well-known/(?:.*/)?[^./]+)$";
    }

    /** @return array<string, string> the page's URI, where it is not the request's own path */
    public function others(): array
    {
        $cases = [];
        foreach ($this->site->urls->queries as $query) {
            $cases[NginxText::expression($query->expression())] = '$request_uri';
        }
        $ignored = Query::ignoring($this->site->urls->ignoredParameters);
        $longest = PagePath::LONGEST;
        $canonical = PagePath::CANONICAL;
        if ($ignored !== null) {
            foreach ($this->site->urls->queries as $query) {
                $cases[NginxText::expression($query->expression($ignored))] = '"$larder_path?$larder_query"';
            }
            $cases[NginxText::expression(
                "^(?=[^?]{1,{$longest}}\\?)(?<larder_path>{$canonical})\\?{$ignored}(?:&{$ignored})*$",
            )] = '$larder_path';
        }
        $cases[NginxText::expression("^(?=[^%]*%)(?=.{1,{$longest}}$){$canonical}$")] = '$request_uri';

        return $cases;
    }

    /** The URIs that can be a page and are the request's own path. */
    public function canonical(): string
    {
        return NginxText::expression('^(?=.{1,' . PagePath::LONGEST . '}$)' . PagePath::CANONICAL . '$');
    }

    /** @return array<string, string> the page's key, by method, session and URI */
    public function keys(): array
    {
        $keys = [];
        foreach ($this->site->urls->areas as $area) {
            $path = $area->prefix === '/' ? '/' : preg_quote($area->prefix) . '(?:[/?]|$)';
            if ($this->ignoresSessions() && !$area->ignoreCookies) {
                $keys[NginxText::expression('^GET:session' . $path)] = '""';
            }
            $uri = "\${$this->name}_uri";
            $keys[NginxText::expression('^GET:' . ($area->ignoreCookies ? '(?:session)?' : '') . $path)]
                = $area->ttl === null ? $uri : "\"{$this->bucket($area)}$uri\"";
        }

        return $keys;
    }

    /** Whether there are areas whose pages are made for visitors with a session too. */
    public function ignoresSessions(): bool
    {
        return array_filter($this->site->urls->areas, static fn(Area $area): bool => $area->ignoreCookies) !== [];
    }

    /** @return list<string> variables that are not empty for a visitor with a session */
    public function sessions(): array
    {
        $plain = array_values(array_filter($this->site->visitors->sessionCookies, self::isPlain(...)));

        return [
            ...array_map(static fn(string $name): string => '$cookie_' . $name, $plain),
            ...($this->cookies() === null ? [] : ["\${$this->name}_cookies"]),
        ];
    }

    /** @return string|null finds cookies whose names no variable of nginx can have, in the way of nginx; null: none */
    public function cookies(): ?string
    {
        $names = array_map(
            static fn(string $name): string => str_ends_with($name, '*')
                ? preg_quote(substr($name, 0, -1)) . '[^=;,\x20]*'
                : preg_quote($name),
            array_values(array_filter(
                $this->site->visitors->sessionCookies,
                static fn(string $name): bool => !self::isPlain($name),
            )),
        );

        return $names === []
            ? null
            : NginxText::expression('(?i)(?:^|[;,])\x20*(?:' . implode('|', $names) . ')\x20*=\x20*[^;\x20]');
    }

    /** What the key of a page or part begins with, for its time. */
    public function bucket(Area $area): string
    {
        return $area->ttl === null ? '' : "/@\${$this->name}_bucket_{$area->ttl}";
    }

    /** What the key of a part begins with, for the visitor's context and its time. */
    public function before(Part $part): string
    {
        return ($part->kind === PartKind::ByContext ? "/@=\${$this->name}_context" : '') . $this->bucket($part->area);
    }

    /** @return array<int, array<string, string>> the bucket of `$time_iso8601`, by the seconds of a bucket */
    public function buckets(): array
    {
        $buckets = [];
        foreach ([...$this->site->urls->areas, ...array_column($this->site->urls->parts, 'area')] as $area) {
            if ($area->ttl !== null) {
                $buckets[$area->ttl] = NginxText::cases((new TimeBucket($area->ttl))->patterns());
            }
        }
        ksort($buckets);

        return $buckets;
    }

    /** @return array<string, string> the location of a request for a page that PHP does not answer */
    public function down(): array
    {
        $down = [];
        foreach ($this->site->urls->areas as $number => $area) {
            $below = $area->prefix === '/' ? '^/' : '^' . preg_quote($area->prefix) . '(?:[/?]|$)';
            $place = $area->stale === null ? 'down' : "left_$number";
            $down[NginxText::expression($below)] = "@{$this->name}_$place";
        }

        return $down;
    }

    private static function isPlain(string $name): bool
    {
        return preg_match('/^[A-Za-z0-9_]+$/D', $name) === 1;
    }
}
