<?php

declare(strict_types=1);

use Larder\Bench\Workload\Pairs\ReadPairs;

// B6: rows by key.

return [
    'pairs' => [
        'B6 rows by key', 'one of 25,000 rows of 400 bytes by its key of 100 bytes', 'operations', new ReadPairs(),
        'noop array apcu shared-memory shared-memory-copy memcached memcached-tuned phpredis phpredis@2 phpredis@3 '
            . 'phpredis-partitioned@2 phpredis-partitioned@3 sqlite mariadb mariadb-prepared mariadb-handler '
            . 'handlersocket',
        [
            ['reads' => [100, 95, 50], 'workers' => [1, 2, 3, 4, 8, 16]],
            ['reads' => 100, 'keys' => 'zipf', 'workers' => [1, 4]],
        ],
        'quick' => [['reads' => 100, 'workers' => [1, 2]]],
        'quickSubjects' => 'noop memcached phpredis mariadb mariadb-prepared handlersocket',
    ],
];
