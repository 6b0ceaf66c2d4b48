<?php

declare(strict_types=1);

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\OpenPages;
use Larder\Bench\Workload\Http\Overload;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\Http\Soak;
use Larder\Bench\Workload\Published\AbTable;

// B5: pages through nginx; overload and soak, of pages and of clients in php-fpm.

$open = 'page-hit page-echo page-uncached';

return [
    'pages' => [
        'B5 pages', 'a page of 2 KB, or of `size` KB', 'requests', new Pages(),
        'page-static page-hit page-memcached page-memcached-connect page-ttl page-echo page-include-1 page-include-10 '
            . 'page-include-100 page-app page-uncached',
        [
            ['keepalive' => true, 'connections' => [1, 10, 50, 100, 400]],
            ['connections' => 50, 'keepalive' => false],
            ['connections' => 50, 'keepalive' => true, 'size' => [10, 38, 200]],
        ],
        'quick' => [['connections' => 50, 'keepalive' => true]],
        'quickSubjects' => 'page-static page-hit page-echo page-uncached',
        'published' => static fn(Catalogue $catalogue): array => [new AbTable([
            'uncached' => $catalogue->get('page-uncached'),
            'cached' => $catalogue->get('page-hit'),
        ])],
    ],
    'open_pages' => [
        'B5 pages at a given rate', 'a page asked for when it is due, whether or not the last one came', 'requests',
        new OpenPages(), $open, [['loads' => '20:35:50:65:80:90:95']],
        'blocks' => 1,
    ],
    'overload' => [
        'B5 overload', 'a page asked for twice as often as the site can answer, for 30 s', 'requests', new Overload(),
        $open, [['overload' => 2.0, 'seconds' => 30]],
        'blocks' => 1,
    ],
    'overload_http' => [
        'B1 overload over nginx and php-fpm',
        'a request that connects, sets and gets, twice as often as php-fpm can answer, for 30 s', 'requests',
        new Overload(new ClientTargets(KeyOperations::Keys)), 'noop memcached phpredis predis',
        [['overload' => 2.0, 'seconds' => 30]],
        'blocks' => 1,
    ],
    'soak' => [
        'Soak', 'a page, again and again for half an hour', 'requests', new Soak(), 'page-hit page-uncached',
        [['seconds' => 1800]],
        'blocks' => 1,
    ],
    'soak_http' => [
        'Soak of clients', 'a request that connects, sets and gets, again and again for half an hour', 'requests',
        new Soak(new ClientTargets(KeyOperations::Keys)), 'memcached phpredis predis', [['seconds' => 1800]],
        'blocks' => 1,
    ],
];
