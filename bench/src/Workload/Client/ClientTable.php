<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Http\BreakingPoint;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Published\SetGetTriangle;
use Larder\Bench\Workload\Test;

/**
 * B1: the clients by short calls, in PHP processes and in php-fpm; B7 and B8: sets and gets of 200 keys. The names of
 * the tests are those of the sources.
 */
final readonly class ClientTable
{
    private const STORES = [
        'noop', 'array', 'apcu', 'shared-memory', 'shared-memory-copy', 'file', 'sqlite', 'memcached',
        'memcached-tuned', 'memcached-binary', 'plain', 'memcache', 'memcache-tuned', 'memcache-udp', 'larder',
        'larder-unshared', 'larder-unix', 'larder-udp', 'phpredis', 'phpredis-unix', 'predis', 'predis-unix',
        'mariadb', 'mariadb-prepared',
    ];
    private const REDIS = ['noop', 'phpredis', 'phpredis-unix', 'predis', 'predis-unix'];

    /** @return list<Test> */
    public static function tests(): array
    {
        $workers = Test::each('workers', [1, 2, 3, 4, 8, 16]);
        $sizes = Test::each('size', [400, 4096, 32_768, 335_872], ['workers' => 1]);
        $apart = [['workers' => 1, 'placement' => 'apart']];
        $open = Test::each('load', [0.2, 0.5, 0.8, 0.95], ['workers' => 1]);
        $large = Test::each('shape', ['nested', 'rows', 'graph', 'strings'], ['workers' => 1]);
        $natives = [
            'noop', 'memcached+php', 'memcached=php', 'memcached+igbinary', 'memcached=igbinary', 'memcache',
            'phpredis+php', 'phpredis=php', 'phpredis+igbinary', 'phpredis=igbinary', 'predis=php',
            'predis=igbinary', 'apcu', 'apcu+igbinary', 'shared-memory-copy',
        ];
        $http = ['noop', 'memcached', 'memcache', 'phpredis', 'predis', 'apcu'];
        $connections = Test::each('connections', [50, 100, 150, 200]);
        $small = [['workers' => 1], ['workers' => 2], ['workers' => 4]];

        return [
            new Test(
                'keys',
                title: 'B1 keys',
                work: 'a set or a get of 32 bytes, in turn',
                unit: 'operations',
                workload: new InProcess(KeyOperations::Keys),
                subjects: self::STORES,
                quick: [['workers' => 1]],
                full: [...$workers, ...$sizes, ...$apart, ...$open],
                quickSubjects: [
                    'noop', 'array', 'apcu', 'file', 'sqlite', 'memcached', 'memcached-tuned', 'memcached-binary',
                    'memcache', 'phpredis', 'phpredis-unix', 'predis',
                ],
            ),
            new Test(
                'get',
                title: 'B1 get',
                work: 'a get of 400 bytes',
                unit: 'operations',
                workload: new InProcess(KeyOperations::Get),
                subjects: self::STORES,
                full: [...$workers, ...$sizes],
            ),
            new Test(
                'set_only',
                title: 'B1 set alone',
                work: 'a set of 400 bytes; every 11th is read back',
                unit: 'operations',
                workload: new InProcess(KeyOperations::Set),
                subjects: self::STORES,
                full: [...$workers, ...$sizes],
            ),
            new Test(
                'keys_large',
                title: 'B1 keys_large',
                work: 'four sets and a get of a large value',
                unit: 'operations',
                workload: new InProcess(new KeysLarge()),
                subjects: $natives,
                full: $large,
            ),
            new Test(
                'increase',
                title: 'B1 increase',
                work: 'a counter is set, raised three times and lowered three times',
                unit: 'operations',
                workload: new InProcess(KeyOperations::Increase),
                subjects: self::STORES,
                full: $small,
            ),
            new Test(
                'append',
                title: 'B1 append',
                work: 'a value is set, extended three times and read',
                unit: 'operations',
                workload: new InProcess(KeyOperations::Append),
                subjects: self::STORES,
                full: $small,
            ),
            new Test(
                'multiple_keys',
                title: 'B1 multiple_keys',
                work: 'four keys are set by one call and read by one call',
                unit: 'keys',
                workload: new InProcess(KeyOperations::MultipleKeys),
                subjects: [...self::STORES, 'phpredis-pipelined'],
                full: $small,
            ),
            new Test(
                'list',
                title: 'B1 list',
                work: 'a push or a pop',
                unit: 'operations',
                workload: new InProcess(CollectionOperations::Lists),
                subjects: self::REDIS,
                full: $small,
            ),
            new Test(
                'set',
                title: 'B1 set',
                work: 'a member added, looked for, moved or drawn',
                unit: 'operations',
                workload: new InProcess(CollectionOperations::Sets),
                subjects: self::REDIS,
                full: $small,
            ),
            new Test(
                'hash',
                title: 'B1 hash',
                work: 'a field or a whole hash set or read',
                unit: 'operations',
                workload: new InProcess(CollectionOperations::Hashes),
                subjects: self::REDIS,
                full: $small,
            ),
            new Test(
                'keys_http',
                title: 'B1 keys over nginx and php-fpm',
                work: 'a request that connects, sets and gets',
                unit: 'requests',
                workload: Pages::ofClient(KeyOperations::Keys),
                subjects: $http,
                quick: [['connections' => 50]],
                full: $connections,
                quickSubjects: ['noop', 'memcached', 'phpredis', 'predis'],
            ),
            new Test(
                'keys_large_http',
                title: 'B1 keys_large over nginx and php-fpm',
                work: 'a request that connects and does one round of keys_large',
                unit: 'requests',
                workload: Pages::ofClient(new KeysLarge()),
                subjects: [
                    'noop', 'memcached+php', 'memcached+igbinary', 'memcached=igbinary', 'memcache',
                    'phpredis+igbinary', 'phpredis=igbinary', 'predis=php',
                ],
                full: $connections,
            ),
            new Test(
                'increase_http',
                title: 'B1 increase over nginx and php-fpm',
                work: 'a request that connects and does one round of increase',
                unit: 'requests',
                workload: Pages::ofClient(KeyOperations::Increase),
                subjects: $http,
                full: $connections,
            ),
            new Test(
                'multiple_keys_http',
                title: 'B1 multiple_keys over nginx and php-fpm',
                work: 'a request that connects and does one round of multiple_keys',
                unit: 'requests',
                workload: Pages::ofClient(KeyOperations::MultipleKeys),
                subjects: $http,
                full: $connections,
            ),
            new Test(
                'breaking_point',
                title: 'B1 breaking point',
                work: 'a request that connects, sets and gets, by more and more visitors',
                unit: 'requests',
                workload: new BreakingPoint(new ClientTargets(KeyOperations::Keys)),
                subjects: $http,
                full: [['ladder' => '50:100:150:200']],
                blocks: 1,
            ),
        ];
    }

    /**
     * B7 and B8: the published comparison of 200 sets and gets.
     *
     * @return list<Test>
     */
    public static function ofPublishedComparison(Catalogue $catalogue): array
    {
        $stores = [
            'noop', 'array', 'file', 'sqlite', 'sqlite-connect', 'memcached', 'memcached-connect',
            'memcached-connect-only', 'plain', 'plain-connect', 'phpredis', 'phpredis-connect',
            'phpredis-connect-only', 'mariadb', 'mariadb-connect', 'mariadb-connect-only', 'apcu', 'shared-memory',
            'shared-memory-copy',
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
