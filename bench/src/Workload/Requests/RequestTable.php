<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** What the requests cost that reach PHP, and the changes: docs/explanation/costs.md. */
final readonly class RequestTable
{
    private const DATABASES = ['sqlite' => 'SQLite', 'mariadb' => 'MariaDB', 'postgresql' => 'PostgreSQL'];

    /** @return list<Test> */
    public static function tests(): array
    {
        $tests = [];
        foreach (self::DATABASES as $database => $title) {
            $subjects = array_column(self::requests($database), 'id');
            $tests[] = new Test(
                "request_costs_$database",
                title: "Requests to PHP, $title",
                work: 'a page of 2 KB and 2 queries from php-fpm, until its answer was there',
                unit: 'requests',
                workload: new RequestCosts(),
                subjects: $subjects,
                full: [[]],
            );
            $tests[] = new Test(
                "request_calls_$database",
                title: "Requests to PHP, counted, $title",
                work: 'the same under strace, once: the counts of system calls and of what is sent mean something',
                unit: 'requests',
                workload: new RequestCalls(),
                subjects: $subjects,
                full: [[]],
                blocks: 1,
            );
        }

        return [
            ...$tests,
            new Test(
                'change_costs',
                title: 'Changes, SQLite',
                work: 'a change of one row in a fresh request, which drops so many pages',
                unit: 'changes',
                workload: new RequestCosts(),
                subjects: array_column(self::changes(), 'id'),
                full: [...Test::each('pages', [0, 10, 1000]), ['pages' => 1000, 'beside' => true]],
            ),
            new Test(
                'edge_costs',
                title: 'Changes with an edge, SQLite',
                work: 'a change of one row by key, outside a transaction, until all edges dropped its pages',
                unit: 'changes',
                workload: new InProcess(new EdgeChanges()),
                subjects: ['edge-none', 'edge-1', 'edge-3'],
                full: [['workers' => 1, 'placement' => 'floating']],
            ),
        ];
    }

    /** @return list<Definition> */
    public static function subjects(): array
    {
        $edges = array_map(static fn(int $servers): Definition => new Definition(
            $servers === 0 ? 'edge-none' : "edge-$servers",
            match ($servers) {
                0 => 'no edge',
                1 => 'one Varnish',
                default => "$servers Varnishes",
            },
            EdgeSite::class,
            static fn(): EdgeSite => new EdgeSite(),
            $servers === 0 ? Kind::None : Kind::Varnish,
            $servers === 0 ? Role::Ceiling : Role::Contender,
            ['client' => 'RecordingPdo on SQLite in memory', 'protocol' => 'HTTP purges, all servers at once'],
            ['pdo_sqlite'],
            max(1, $servers),
        ), [0, 1, 3]);

        return [
            ...array_merge(...array_map(self::requests(...), array_keys(self::DATABASES))),
            ...self::changes(),
            ...$edges,
        ];
    }

    /** @return list<Definition> */
    private static function requests(string $database): array
    {
        $page = ['LARDER_PAGE' => 'PAGE'];
        $stored = 'larder; fwd=miss; stored';
        // Memcached gets a page after it was sent.
        $miss = $database === 'sqlite' ? $stored : 'larder; fwd=miss';
        $kept = ['KEEPS_SECOND' => '1'];
        $first = ['STORES_FIRST' => '1'];
        $session = ['LARDER_PAGE' => '', 'HTTP_COOKIE' => 'PHPSESSID=abc'];
        $rows = [
            ['plain', 'the page without Larder', static fn(): SiteRequest => new SiteRequest(['PLAIN' => '1'], '')],
            ['bypass', 'a session\'s request', static fn(): SiteRequest => new SiteRequest($session, 'larder; fwd=bypass')],
            ['miss', 'a miss, stored', static fn(): SiteRequest => new SiteRequest($page, $miss)],
            ['preloaded', 'a miss, classes preloaded', static fn(): SiteRequest => new SiteRequest($page, $miss, php: 'preloaded-')],
            ['hit', 'a hit in PHP', static fn(): SiteRequest => new SiteRequest($page, 'larder; hit', true)],
            ...($database === 'sqlite' ? [] : [
                ['kept', 'a miss, second connection kept', static fn(): SiteRequest => new SiteRequest([...$page, ...$kept], $miss)],
                ['first', 'a miss, stored first', static fn(): SiteRequest => new SiteRequest([...$page, ...$first], $stored)],
                [
                    'first-kept',
                    'a miss, stored first, second connection kept',
                    static fn(): SiteRequest => new SiteRequest([...$page, ...$first, ...$kept], $stored),
                ],
            ]),
        ];
        $kind = match ($database) {
            'sqlite' => Kind::FilesSite,
            'mariadb' => Kind::MariaDbSite,
            default => Kind::PostgreSqlSite,
        };

        return array_map(static fn(array $row): Definition => new Definition(
            "$database-$row[0]",
            self::DATABASES[$database] . ": $row[1]",
            SiteRequest::class,
            $row[2],
            $kind,
            $row[0] === 'plain' ? Role::Ceiling : Role::Contender,
            [
                'protocol' => 'FastCGI to php-fpm with one worker, OPcache on, JIT off',
                'cache' => $database === 'sqlite' ? 'pages in files' : 'pages in memcached',
            ],
            [$database === 'sqlite' ? 'pdo_sqlite' : ($database === 'mariadb' ? 'pdo_mysql' : 'pdo_pgsql')],
        ), $rows);
    }

    /** @return list<Definition> */
    private static function changes(): array
    {
        return array_map(static fn(int $which, string $id): Definition => new Definition(
            $id,
            $which === 0 ? 'A change by plain SQL' : 'A change that is told',
            SiteChange::class,
            static fn(): SiteChange => new SiteChange($which),
            Kind::FilesSite,
            $which === 0 ? Role::Ceiling : Role::Contender,
            ['client' => 'PDO on SQLite in memory', 'cache' => 'pages in files in memory'],
            ['pdo_sqlite'],
        ), [0, 1], ['change-plain', 'change-told']);
    }
}
