<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Published\AbTable;
use Larder\Bench\Workload\Test;
use Larder\Testbed\Load\Target;

/**
 * A closed loop of requests for a page.
 *
 * With ClientTargets a request to php-fpm loads the classes, connects a client, does one step and ends, as a web page
 * does. The client's CPU is then that of nginx and php-fpm, and that of wrk is a further figure. Compared with the same
 * step in process this shows the cost of a request before its client starts to work; the subject `noop` is the floor.
 *
 * Parameters: `connections` (50), `keepalive` (true), and those of the targets.
 */
final readonly class Pages extends OverHttp
{
    private const PAGES = [
        'page-static', 'page-hit', 'page-memcached', 'page-memcached-connect', 'page-ttl', 'page-echo',
        'page-include-1', 'page-include-10', 'page-include-100', 'page-app', 'page-uncached',
    ];

    /** @param bool $keepAlive unless the parameter says otherwise */
    public function __construct(PageTargets|ClientTargets $targets = new PageTargets(), private bool $keepAlive = true)
    {
        parent::__construct($targets);
    }

    /** A request connects a client and does one step. It comes on a new connection, as the requests of ab do. */
    public static function ofClient(Operations $operations): self
    {
        return new self(new ClientTargets($operations), false);
    }

    /** @return list<Test> B5: pages through nginx; overload and soak, of pages and of clients in php-fpm */
    public static function tests(Catalogue $catalogue): array
    {
        $full = [
            ...Test::each('connections', [1, 10, 50, 100, 400], ['keepalive' => true]),
            ['connections' => 50, 'keepalive' => false],
            ...Test::each('size', [10, 38, 200], ['connections' => 50, 'keepalive' => true]),
        ];
        $open = ['page-hit', 'page-echo', 'page-uncached'];
        $table = ['uncached' => $catalogue->get('page-uncached'), 'cached' => $catalogue->get('page-hit')];

        return [
            new Test(
                'pages',
                title: 'B5 pages',
                work: 'a page of 2 KB, or of `size` KB',
                unit: 'requests',
                workload: new self(),
                subjects: self::PAGES,
                quick: [['connections' => 50, 'keepalive' => true]],
                full: $full,
                quickSubjects: ['page-static', 'page-hit', 'page-echo', 'page-uncached'],
                published: [new AbTable($table)],
            ),
            new Test(
                'open_pages',
                title: 'B5 pages at a given rate',
                work: 'a page asked for when it is due, whether or not the last one came',
                unit: 'requests',
                workload: new OpenPages(),
                subjects: $open,
                full: [['loads' => '20:35:50:65:80:90:95']],
                blocks: 1,
            ),
            new Test(
                'overload',
                title: 'B5 overload',
                work: 'a page asked for twice as often as the site can answer, for 30 s',
                unit: 'requests',
                workload: new Overload(),
                subjects: $open,
                full: [['overload' => 2.0, 'seconds' => 30]],
                blocks: 1,
            ),
            new Test(
                'overload_http',
                title: 'B1 overload over nginx and php-fpm',
                work: 'a request that connects, sets and gets, twice as often as php-fpm can answer, for 30 s',
                unit: 'requests',
                workload: new Overload(new ClientTargets(KeyOperations::Keys)),
                subjects: ['noop', 'memcached', 'phpredis', 'predis'],
                full: [['overload' => 2.0, 'seconds' => 30]],
                blocks: 1,
            ),
            new Test(
                'soak',
                title: 'Soak',
                work: 'a page, again and again for half an hour',
                unit: 'requests',
                workload: new Soak(),
                subjects: ['page-hit', 'page-uncached'],
                full: [['seconds' => 1800]],
                blocks: 1,
            ),
            new Test(
                'soak_http',
                title: 'Soak of clients',
                work: 'a request that connects, sets and gets, again and again for half an hour',
                unit: 'requests',
                workload: new Soak(new ClientTargets(KeyOperations::Keys)),
                subjects: ['memcached', 'phpredis', 'predis'],
                full: [['seconds' => 1800]],
                blocks: 1,
            ),
        ];
    }

    protected function load(Job $job, Target $target): Measured
    {
        $keepAlive = ($job->parameters['keepalive'] ?? $this->keepAlive) === true;

        return (new ClosedLoop($job, $target))->window($job->int('connections', 50), $keepAlive);
    }
}
