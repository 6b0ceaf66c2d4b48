<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Pairs;

use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** B6: rows by key. */
final readonly class PairsTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $stores = [
            'noop', 'array', 'apcu', 'shared-memory', 'shared-memory-copy', 'memcached', 'memcached-tuned',
            'phpredis', 'phpredis@2', 'phpredis@3', 'phpredis-partitioned@2', 'phpredis-partitioned@3', 'sqlite',
            'mariadb', 'mariadb-prepared', 'mariadb-handler', 'handlersocket',
        ];
        $full = [];
        foreach ([100, 95, 50] as $reads) {
            array_push($full, ...Test::each('workers', [1, 2, 3, 4, 8, 16], ['reads' => $reads]));
        }
        array_push($full, ...Test::each('workers', [1, 4], ['reads' => 100, 'keys' => 'zipf']));

        return [
            new Test(
                'pairs',
                title: 'B6 rows by key',
                work: 'one of 25,000 rows of 400 bytes by its key of 100 bytes',
                unit: 'operations',
                workload: new InProcess(new ReadPairs()),
                subjects: $stores,
                quick: [['reads' => 100, 'workers' => 1], ['reads' => 100, 'workers' => 2]],
                full: $full,
                quickSubjects: ['noop', 'memcached', 'phpredis', 'mariadb', 'mariadb-prepared', 'handlersocket'],
            ),
        ];
    }
}
