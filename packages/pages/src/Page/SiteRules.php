<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Page\Exception\InvalidSite;

/**
 * What a description of a site must be. An error names the argument, behind the name of its group, and what is allowed.
 *
 * @internal for Site
 */
final readonly class SiteRules
{
    private const NAME = ['/^[A-Za-z][A-Za-z0-9_-]*$/D', 'letters, digits, - and _, behind a letter'];
    private const HOST = ['/^[A-Za-z0-9.*-]+$/D', 'letters, digits, dots, - and *'];
    private const PLACE = [
        '~^/[^\s"\'{};$\\\\]+[^/\s"\'{};$\\\\]$~D',
        'an absolute path without / at the end, spaces, quotes, braces, ;, $ and \\',
    ];
    private const GUARD = [
        '~^/[^\s"\'{};$\\\\*?\[]+[^/\s"\'{};$\\\\*?\[]$~D',
        'an absolute path without / at the end, spaces, quotes, braces, ;, $, \\, *, ? and [',
    ];
    private const COOKIE = ["/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/D", 'the name of a cookie, or its begin and *'];
    private const PARAMETER = ['/^[A-Za-z0-9_.-]+\*?$/D', 'letters, digits, _, . and -, and * at the end'];
    private const HEADER = ['/^[A-Za-z][A-Za-z0-9-]*$/D', 'letters, digits and -, behind a letter'];
    private const VALUE = ['/^[^"\\\\$\r\n]*$/D', 'one line without ", \\ and $'];
    private const ENDING = ['/^[A-Za-z0-9]{1,20}$/D', 'letters and digits, without the dot'];
    private const SERVER = [
        '~^(?:[A-Za-z0-9.-]+:[1-9][0-9]{0,4}|unix:/[A-Za-z0-9._/-]+)$~D',
        'host:port or unix:/path',
    ];

    public function __construct(
        private Urls $urls,
        private Visitors $visitors,
        private Storage $storage,
        private Limits $limits,
        private Serving $serving,
        private Operations $operations,
    ) {}

    /**
     * @param list<string> $hosts
     *
     * @throws InvalidSite
     */
    public function check(string $name, array $hosts, string $pages): void
    {
        self::fit('name', [$name], self::NAME);
        self::fit('hosts', $hosts, self::HOST);
        self::fit('pages', [$pages], self::PLACE);
        self::urls($this->urls);
        self::parts($this->urls->parts, $this->visitors);
        self::visitors($this->visitors, $this->urls->areas);
        self::storage($this->storage);
        self::limits($this->limits);
        self::serving($this->serving);
        self::fit('operations.hitLog', array_filter([$this->operations->hitLog], \is_string(...)), self::PLACE);
    }

    private static function urls(Urls $urls): void
    {
        self::fit('urls.ignoredParameters', $urls->ignoredParameters, self::PARAMETER);
        foreach ($urls->queries as $query) {
            foreach (array_keys($query->parameters) as $name) {
                self::refuse(
                    $urls->ignores($name),
                    "urls.ignoredParameters: a query has \"$name\". Allowed are parameters that no query has",
                );
            }
        }
        foreach ($urls->areas as $area) {
            self::refuse(
                !$urls->covers($area->prefix),
                "urls.areas: area {$area->prefix} is not below the path {$urls->path}. Allowed are areas below it",
            );
        }
        self::unique('urls.areas: two areas have the same prefix', array_column($urls->areas, 'prefix'));
    }

    /** @param list<Part> $parts */
    private static function parts(array $parts, Visitors $visitors): void
    {
        self::unique('urls.parts: two parts have the same prefix', array_column($parts, 'prefix'));
        foreach ($parts as $part) {
            self::refuse(
                $visitors->contexts === null && $part->kind === PartKind::ByContext,
                "urls.parts: part {$part->prefix}: it is by context, and the site has no contexts. Allowed with "
                    . 'visitors.contexts',
            );
        }
    }

    /** @param list<Area> $areas */
    private static function visitors(Visitors $visitors, array $areas): void
    {
        self::fit('visitors.sessionCookies', $visitors->sessionCookies, self::COOKIE);
        self::fit('visitors.passHeaders', $visitors->passHeaders, self::HEADER);
        foreach ($visitors->contexts === null ? [] : $visitors->sessionCookies as $cookie) {
            self::refuse(
                fnmatch(strtolower($cookie), strtolower((string) $visitors->contexts?->cookie)),
                "visitors.sessionCookies: \"$cookie\" is the cookie of contexts. Allowed are other cookies",
            );
        }
        $ignoring = array_filter($areas, static fn(Area $area): bool => $area->ignoreCookies);
        self::refuse(
            $ignoring !== [] && \in_array('cookie', array_map(strtolower(...), $visitors->passHeaders), true),
            'visitors.passHeaders: where an area ignores cookies, PHP may not get them. Allowed are other headers',
        );
    }

    private static function storage(Storage $storage): void
    {
        self::fit('storage.memcached', $storage->memcached, self::SERVER);
        self::unique('storage.memcached: a server is there twice', $storage->memcached);
        self::fit('storage.guard', array_filter([$storage->guard], \is_string(...)), self::GUARD);
        self::refuse(
            $storage->guard !== null && $storage->memcached === [],
            'storage.guard: it guards memcached servers, and there are none. Allowed with storage.memcached',
        );
        self::refuse(
            $storage->open !== null && $storage->memcached !== [],
            'storage.open: the pages lie there or in memcached, not in both. Allowed without storage.memcached',
        );
        self::refuse(
            $storage->patience < 1 || $storage->patience > 60_000,
            "storage.patience: nobody waits $storage->patience milliseconds. Allowed: 1 to 60000",
        );
    }

    private static function limits(Limits $limits): void
    {
        foreach ([
            ['bytes', $limits->bytes > 0, 'above 0'],
            ['routeShare', $limits->routeShare > 0 && $limits->routeShare <= 1, 'above 0, and 1 at most'],
            ['pageBytes', $limits->pageBytes > 0, 'above 0'],
            ['leaseSeconds', $limits->leaseSeconds >= 1, '1 at least'],
            ['waitMilliseconds', $limits->waitMilliseconds >= 0, '0 at least'],
        ] as [$limit, $isKept, $allowed]) {
            self::refuse(!$isKept, "limits.$limit must be $allowed");
        }
    }

    private static function serving(Serving $serving): void
    {
        self::fit('serving.headers', array_keys($serving->headers), self::HEADER);
        self::fit('serving.headers', $serving->headers, self::VALUE);
        self::fit('serving.files', $serving->files, self::ENDING);
        foreach ($serving->edge === null ? [] : array_keys($serving->headers) as $header) {
            self::refuse(
                $serving->edgeHeaders()->own($header),
                "serving.headers: only Larder sets \"$header\". Allowed are headers that no edge needs",
            );
        }
        self::refuse(
            $serving->followed && $serving->edge !== null,
            'serving.followed: what an edge keeps does not end when the follower dies, so there can be no edge. '
                . 'Allowed without serving.edge',
        );
    }

    /**
     * @param array<array-key, string> $values
     * @param array{string, string}    $allowed as an expression, and in words
     */
    private static function fit(string $argument, array $values, array $allowed): void
    {
        [$expression, $words] = $allowed;
        foreach ($values as $value) {
            self::refuse(preg_match($expression, $value) !== 1, "$argument: not \"$value\". Allowed: $words");
        }
    }

    /** @param list<string> $values */
    private static function unique(string $message, array $values): void
    {
        self::refuse(\count(array_unique($values)) !== \count($values), $message . '. Allowed is each one once');
    }

    private static function refuse(bool $isWrong, string $reason): void
    {
        if ($isWrong) {
            throw InvalidSite::because($reason);
        }
    }
}
