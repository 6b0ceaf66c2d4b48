<?php

declare(strict_types=1);

use Larder\Bench\Workload\Client\CollectionOperations;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Client\KeysLarge;
use Larder\Bench\Workload\Http\BreakingPoint;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\Pages;

// B1: the clients by short calls, in PHP processes and in php-fpm. The names of the tests are those of the sources.

$stores = 'noop array apcu shared-memory shared-memory-copy file sqlite memcached memcached-tuned memcached-binary '
    . 'plain memcache memcache-tuned memcache-udp larder larder-unshared larder-unix larder-udp phpredis '
    . 'phpredis-unix predis predis-unix mariadb mariadb-prepared';
$redis = 'noop phpredis phpredis-unix predis predis-unix';
$http = 'noop memcached memcache phpredis predis apcu';
$workers = ['workers' => [1, 2, 3, 4, 8, 16]];
$sizes = ['workers' => 1, 'size' => [400, 4096, 32_768, 335_872]];
$apart = ['workers' => 1, 'placement' => 'apart'];
$open = ['workers' => 1, 'load' => [0.2, 0.5, 0.8, 0.95]];
$large = ['workers' => 1, 'shape' => ['nested', 'rows', 'graph', 'strings']];
$small = ['workers' => [1, 2, 4]];
$connections = ['connections' => [50, 100, 150, 200]];
$one = 'a request that connects and does one round of ';

return [
    'keys' => [
        'B1 keys', 'a set or a get of 32 bytes, in turn', 'operations', KeyOperations::Keys, $stores,
        [$workers, $sizes, $apart, $open],
        'quick' => [['workers' => 1]],
        'quickSubjects' => 'noop array apcu file sqlite memcached memcached-tuned memcached-binary memcache phpredis '
            . 'phpredis-unix predis',
    ],
    'get' => ['B1 get', 'a get of 400 bytes', 'operations', KeyOperations::Get, $stores, [$workers, $sizes]],
    'set_only' => [
        'B1 set alone', 'a set of 400 bytes; every 11th is read back', 'operations', KeyOperations::Set, $stores,
        [$workers, $sizes],
    ],
    'keys_large' => [
        'B1 keys_large', 'four sets and a get of a large value', 'operations', new KeysLarge(),
        'noop memcached+php memcached=php memcached+igbinary memcached=igbinary memcache phpredis+php phpredis=php '
            . 'phpredis+igbinary phpredis=igbinary predis=php predis=igbinary apcu apcu+igbinary shared-memory-copy',
        [$large],
    ],
    'increase' => [
        'B1 increase', 'a counter is set, raised three times and lowered three times', 'operations',
        KeyOperations::Increase, $stores, [$small],
    ],
    'append' => [
        'B1 append', 'a value is set, extended three times and read', 'operations', KeyOperations::Append, $stores,
        [$small],
    ],
    'multiple_keys' => [
        'B1 multiple_keys', 'four keys are set by one call and read by one call', 'keys', KeyOperations::MultipleKeys,
        $stores . ' phpredis-pipelined', [$small],
    ],
    'list' => ['B1 list', 'a push or a pop', 'operations', CollectionOperations::Lists, $redis, [$small]],
    'set' => [
        'B1 set', 'a member added, looked for, moved or drawn', 'operations', CollectionOperations::Sets, $redis,
        [$small],
    ],
    'hash' => [
        'B1 hash', 'a field or a whole hash set or read', 'operations', CollectionOperations::Hashes, $redis, [$small],
    ],
    'keys_http' => [
        'B1 keys over nginx and php-fpm', 'a request that connects, sets and gets', 'requests',
        Pages::ofClient(KeyOperations::Keys), $http, [$connections],
        'quick' => [['connections' => 50]], 'quickSubjects' => 'noop memcached phpredis predis',
    ],
    'keys_large_http' => [
        'B1 keys_large over nginx and php-fpm', $one . 'keys_large', 'requests', Pages::ofClient(new KeysLarge()),
        'noop memcached+php memcached+igbinary memcached=igbinary memcache phpredis+igbinary phpredis=igbinary '
            . 'predis=php',
        [$connections],
    ],
    'increase_http' => [
        'B1 increase over nginx and php-fpm', $one . 'increase', 'requests', Pages::ofClient(KeyOperations::Increase),
        $http, [$connections],
    ],
    'multiple_keys_http' => [
        'B1 multiple_keys over nginx and php-fpm', $one . 'multiple_keys', 'requests',
        Pages::ofClient(KeyOperations::MultipleKeys), $http, [$connections],
    ],
    'breaking_point' => [
        'B1 breaking point', 'a request that connects, sets and gets, by more and more visitors', 'requests',
        new BreakingPoint(new ClientTargets(KeyOperations::Keys)), $http, [['ladder' => '50:100:150:200']],
        'blocks' => 1,
    ],
];
