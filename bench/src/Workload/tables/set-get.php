<?php

declare(strict_types=1);

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Published\SetGetTriangle;

// B7 and B8: the published comparison of 200 sets and gets.

$stores = 'noop array file sqlite sqlite-connect memcached memcached-connect memcached-connect-only plain '
    . 'plain-connect phpredis phpredis-connect phpredis-connect-only mariadb mariadb-connect mariadb-connect-only apcu '
    . 'shared-memory shared-memory-copy';
$columns = ['file' => 'file', 'mysql' => 'mariadb-connect', 'memcache' => 'memcached-connect'];

return [
    'set_get' => [
        'B7 set and get', 'a set and a get of one of 200 keys', 'pairs', KeyOperations::SetGet, $stores,
        [['workers' => 1]],
        'quick' => [['workers' => 1]],
        'quickSubjects' => 'file memcached memcached-connect memcached-connect-only mariadb mariadb-connect '
            . 'mariadb-connect-only',
        'published' => static fn(Catalogue $catalogue): array => [
            new SetGetTriangle(array_map($catalogue->get(...), $columns)),
            new SetGetTriangle(array_map($catalogue->get(...), $columns), rotate: true),
        ],
    ],
    'get_only' => [
        'B8 get', 'a get of one of 200 keys', 'operations', KeyOperations::GetOnly, $stores, [['workers' => 1]],
        'quick' => [['workers' => 1]],
        'quickSubjects' => 'file memcached memcached-connect mariadb-connect',
        'published' => static fn(Catalogue $catalogue): array => [
            new SetGetTriangle(array_map($catalogue->get(...), $columns), getOnly: true),
        ],
    ],
];
