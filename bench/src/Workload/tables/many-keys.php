<?php

declare(strict_types=1);

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\ManyKeys\BatchOperations;
use Larder\Bench\Workload\Published\MultiKeyTable;

// B9: many keys by one call, or one by one.

$many = 'noop larder larder-unshared larder-unix larder@2 larder@3 larder@6 larder-udp memcached memcached-tuned '
    . 'memcached@2 memcached@3 memcached@6 memcache memcache@2 memcache-udp phpredis phpredis-pipelined '
    . 'phpredis-partitioned@2 predis predis-partitioned@2';
$objects = 'noop memcached memcached+igbinary memcache apcu';
$batches = [
    ['values' => 'web', 'rtt' => [0, 0.2, 1], 'workers' => 1, 'batch' => [1, 2, 5, 10, 50, 200, 1000]],
    ['batch' => 50, 'values' => ['source', 'small'], 'rtt' => 0, 'workers' => 1],
];
$one = [['batch' => 50, 'values' => 'web', 'rtt' => [0, 0.2], 'workers' => 1]];
$clients = [
    'TCP (1 server)' => 'memcache-tuned', 'UDP (1 server)' => 'memcache-udp', 'TCP (6 servers)' => 'memcache-tuned@6',
    'ext-memcached (1 server)' => 'memcached', 'ext-memcached (6 servers)' => 'memcached@6',
    'ext-memcached, a connection per call' => 'memcached-connect', 'Larder TCP (1 server)' => 'larder',
    'Larder UDP (1 server)' => 'larder-udp', 'Larder TCP (6 servers)' => 'larder@6',
    'Larder UDP (6 servers)' => 'larder-udp@6', 'Larder, a connection per call' => 'larder-connect',
    'phpredis (1 server)' => 'phpredis',
];

return [
    'many_get' => [
        'B9 many keys: get', 'a key of a batch that one call reads', 'keys', BatchOperations::ManyGet, $many, $batches,
        'quick' => [
            ['batch' => [1, 50], 'values' => 'web', 'rtt' => 0, 'workers' => 1],
            ['batch' => 50, 'values' => 'web', 'rtt' => 1, 'workers' => 1],
        ],
        'quickSubjects' => 'memcached memcached@3 phpredis',
        'published' => static fn(Catalogue $catalogue): array => [
            new MultiKeyTable(array_map($catalogue->get(...), $clients)),
        ],
    ],
    'single_get' => [
        'B9 one key at a time: get', 'a key of a batch that is read key by key', 'keys', BatchOperations::SingleGet,
        $many, $one,
    ],
    'many_set' => [
        'B9 many keys: set', 'a key of a batch that one call sets; every 11th batch is read back', 'keys',
        BatchOperations::ManySet, $many, $batches,
    ],
    'single_set' => [
        'B9 one key at a time: set', 'a key of a batch that is set key by key; every 11th batch is read back', 'keys',
        BatchOperations::SingleSet, $many, $one,
    ],
    'many_delete' => [
        'B9 many keys: delete', 'a key of a batch that one call deletes; one batch in 256 is there', 'keys',
        BatchOperations::ManyDelete, $many, $one,
    ],
    'single_delete' => [
        'B9 one key at a time: delete', 'a key of a batch that is deleted key by key; one batch in 256 is there',
        'keys', BatchOperations::SingleDelete, $many, $one,
    ],
    'many_increment' => [
        'B9 many counters', 'a counter of a batch that one call raises', 'keys', BatchOperations::ManyIncrement, $many,
        $one,
    ],
    'single_increment' => [
        'B9 one counter at a time', 'a counter of a batch that is raised one by one', 'keys',
        BatchOperations::SingleIncrement, $many, $one,
    ],
    'many_get_objects' => [
        'B9 many objects: get', 'an object of a batch that one call reads, serialized by PHP', 'keys',
        BatchOperations::ManyGetObjects, $many, $one,
    ],
    'single_get_objects' => [
        'B9 one object at a time: get', 'an object of a batch that is read one by one, serialized by the client',
        'keys', BatchOperations::SingleGetObjects, $objects, $one,
    ],
    'many_set_objects' => [
        'B9 many objects: set', 'an object of a batch that one call sets, serialized by PHP', 'keys',
        BatchOperations::ManySetObjects, $many, $one,
    ],
    'single_set_objects' => [
        'B9 one object at a time: set', 'an object of a batch that is set one by one, serialized by the client',
        'keys', BatchOperations::SingleSetObjects, $objects, $one,
    ],
];
