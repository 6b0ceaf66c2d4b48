<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;

/** Requests that reach PHP, and changes: docs/explanation/costs.md. */
final readonly class RequestSubjects
{
    private const SITES = [
        'sqlite' => ['SQLite', 'pdo_sqlite', Kind::FilesSite],
        'mariadb' => ['MariaDB', 'pdo_mysql', Kind::MariaDbSite],
        'postgresql' => ['PostgreSQL', 'pdo_pgsql', Kind::PostgreSqlSite],
    ];

    /** @return list<Definition> */
    public static function subjects(): array
    {
        $subjects = array_merge(...array_map(self::requests(...), array_keys(self::SITES)));
        $plain = new SiteRequest(change: 0);
        $told = new SiteRequest(change: 1);
        $subjects[] = self::row('change-plain', 'A change by plain SQL', $plain, 'sqlite', true);
        $subjects[] = self::row('change-told', 'A change that is told', $told, 'sqlite', false);
        foreach ([0 => 'No edge', 1 => 'One Varnish', 3 => 'Three Varnishes'] as $servers => $title) {
            $subjects[] = new Definition(
                $servers === 0 ? 'edge-none' : "edge-$servers",
                $title,
                EdgeSite::class,
                static fn(): EdgeSite => new EdgeSite(),
                $servers === 0 ? Kind::None : Kind::Varnish,
                $servers === 0 ? Role::Ceiling : Role::Contender,
                ['client' => 'RecordingPdo on SQLite in memory', 'protocol' => 'HTTP purges, all servers at once'],
                ['pdo_sqlite'],
                max(1, $servers),
            );
        }

        return $subjects;
    }

    /** @return list<Definition> */
    private static function requests(string $site): array
    {
        $page = ['LARDER_PAGE' => 'PAGE'];
        $stored = 'larder; fwd=miss; stored';
        // Memcached gets a page after it was sent.
        $miss = $site === 'sqlite' ? $stored : 'larder; fwd=miss';
        $kept = [...$page, 'KEEPS_SECOND' => '1'];
        $first = ['STORES_FIRST' => '1'];
        $session = ['LARDER_PAGE' => '', 'HTTP_COOKIE' => 'PHPSESSID=abc'];
        $rows = [
            'plain' => ['the page without Larder', new SiteRequest(['PLAIN' => '1'])],
            'bypass' => ['a session\'s request', new SiteRequest($session, 'larder; fwd=bypass')],
            'miss' => ['a miss, stored', new SiteRequest($page, $miss)],
            'preloaded' => ['a miss, classes preloaded', new SiteRequest($page, $miss, php: 'preloaded-')],
            'hit' => ['a hit in PHP', new SiteRequest($page, 'larder; hit', true)],
        ];
        $rows += $site === 'sqlite' ? [] : [
            'kept' => ['a miss, second connection kept', new SiteRequest($kept, $miss)],
            'first' => ['a miss, stored first', new SiteRequest($page + $first, $stored)],
            'first-kept' => ['a miss, stored first, second connection kept', new SiteRequest($kept + $first, $stored)],
        ];
        $subjects = [];
        foreach ($rows as $id => [$title, $request]) {
            $title = self::SITES[$site][0] . ': ' . $title;
            $subjects[] = self::row("$site-$id", $title, $request, $site, $id === 'plain');
        }

        return $subjects;
    }

    private static function row(
        string $id,
        string $title,
        SiteRequest $request,
        string $site,
        bool $isReference,
    ): Definition {
        return new Definition(
            $id,
            $title,
            SiteRequest::class,
            static fn(): SiteRequest => clone $request,
            self::SITES[$site][2],
            $isReference ? Role::Ceiling : Role::Contender,
            [
                'protocol' => 'FastCGI to php-fpm with one worker, OPcache on, JIT off',
                'cache' => $site === 'sqlite' ? 'pages in files in memory' : 'pages in memcached',
            ],
            [self::SITES[$site][1]],
        );
    }
}
