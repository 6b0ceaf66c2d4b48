<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Published\SetGetTriangle;
use Larder\Bench\Workload\Test;

/** B7 and B8: the published comparison of 200 sets and gets. */
final readonly class SetGetTable
{
    /** @return list<Test> */
    public static function tests(Catalogue $catalogue): array
    {
        $stores = [
            'noop', 'array', 'file', 'sqlite', 'sqlite-connect', 'memcached', 'memcached-connect',
            'memcached-connect-only', 'phpredis', 'phpredis-connect', 'phpredis-connect-only', 'mariadb',
            'mariadb-connect', 'mariadb-connect-only', 'apcu', 'shared-memory', 'shared-memory-copy',
        ];
        $columns = [
            'file' => $catalogue->get('file'),
            'mysql' => $catalogue->get('mariadb-connect'),
            'memcache' => $catalogue->get('memcached-connect'),
        ];
        $conditions = [['workers' => 1]];

        return [
            new Test(
                'set_get',
                title: 'B7 set and get',
                work: 'a set and a get of one of 200 keys',
                unit: 'pairs',
                workload: new InProcess(KeyOperations::SetGet),
                subjects: $stores,
                quick: $conditions,
                full: $conditions,
                quickSubjects: [
                    'file', 'memcached', 'memcached-connect', 'memcached-connect-only', 'mariadb',
                    'mariadb-connect', 'mariadb-connect-only',
                ],
                published: [new SetGetTriangle($columns), new SetGetTriangle($columns, rotate: true)],
            ),
            new Test(
                'get_only',
                title: 'B8 get',
                work: 'a get of one of 200 keys',
                unit: 'operations',
                workload: new InProcess(KeyOperations::GetOnly),
                subjects: $stores,
                quick: $conditions,
                full: $conditions,
                quickSubjects: ['file', 'memcached', 'memcached-connect', 'mariadb-connect'],
                published: [new SetGetTriangle($columns, getOnly: true)],
            ),
        ];
    }
}
