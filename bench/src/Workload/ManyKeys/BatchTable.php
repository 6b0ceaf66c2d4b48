<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use Larder\Bench\Subject\Calls;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Published\MultiKeyTable;
use Larder\Bench\Workload\Test;

/** B9: many keys by one call, or one by one; and the same calls on one batch in a loop. */
final readonly class BatchTable
{
    private const MANY = [
        'noop', 'larder', 'larder-unshared', 'larder-unix', 'larder@2', 'larder@3', 'larder@6', 'larder-udp',
        'memcached', 'memcached-tuned', 'memcached@2', 'memcached@3', 'memcached@6', 'memcache', 'memcache@2',
        'memcache-udp', 'phpredis', 'phpredis-pipelined', 'phpredis-partitioned@2', 'predis', 'predis-partitioned@2',
    ];

    /** @return list<Test> */
    public static function tests(Catalogue $catalogue): array
    {
        $full = [];
        foreach ([0, 0.2, 1] as $delay) {
            $far = ['values' => 'web', 'rtt' => $delay, 'workers' => 1];
            array_push($full, ...Test::each('batch', [1, 2, 5, 10, 50, 200, 1000], $far));
        }
        $full[] = ['batch' => 50, 'values' => 'source', 'rtt' => 0, 'workers' => 1];
        $full[] = ['batch' => 50, 'values' => 'small', 'rtt' => 0, 'workers' => 1];
        $one = [
            ['batch' => 50, 'values' => 'web', 'rtt' => 0, 'workers' => 1],
            ['batch' => 50, 'values' => 'web', 'rtt' => 0.2, 'workers' => 1],
        ];
        $quick = [
            ['batch' => 1, 'values' => 'web', 'rtt' => 0, 'workers' => 1],
            ['batch' => 50, 'values' => 'web', 'rtt' => 0, 'workers' => 1],
            ['batch' => 50, 'values' => 'web', 'rtt' => 1, 'workers' => 1],
        ];
        $objects = ['noop', 'memcached', 'memcached+igbinary', 'memcache', 'apcu'];
        $table = [
            'TCP (1 server)' => $catalogue->get('memcache-tuned'),
            'UDP (1 server)' => $catalogue->get('memcache-udp'),
            'TCP (6 servers)' => $catalogue->get('memcache-tuned@6'),
            'ext-memcached (1 server)' => $catalogue->get('memcached'),
            'ext-memcached (6 servers)' => $catalogue->get('memcached@6'),
            'ext-memcached, a connection per call' => $catalogue->get('memcached-connect'),
            'Larder TCP (1 server)' => $catalogue->get('larder'),
            'Larder UDP (1 server)' => $catalogue->get('larder-udp'),
            'Larder TCP (6 servers)' => $catalogue->get('larder@6'),
            'Larder UDP (6 servers)' => $catalogue->get('larder-udp@6'),
            'Larder, a connection per call' => $catalogue->get('larder-connect'),
            'phpredis (1 server)' => $catalogue->get('phpredis'),
        ];

        return [
            new Test(
                'many_get',
                title: 'B9 many keys: get',
                work: 'a key of a batch that one call reads',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManyGet),
                subjects: self::MANY,
                quick: $quick,
                full: $full,
                quickSubjects: ['memcached', 'memcached@3', 'phpredis'],
                published: [new MultiKeyTable($table)],
            ),
            new Test(
                'single_get',
                title: 'B9 one key at a time: get',
                work: 'a key of a batch that is read key by key',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleGet),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'many_set',
                title: 'B9 many keys: set',
                work: 'a key of a batch that one call sets; every 11th batch is read back',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManySet),
                subjects: self::MANY,
                full: $full,
            ),
            new Test(
                'single_set',
                title: 'B9 one key at a time: set',
                work: 'a key of a batch that is set key by key; every 11th batch is read back',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleSet),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'many_delete',
                title: 'B9 many keys: delete',
                work: 'a key of a batch that one call deletes; one batch in 256 is there',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManyDelete),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'single_delete',
                title: 'B9 one key at a time: delete',
                work: 'a key of a batch that is deleted key by key; one batch in 256 is there',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleDelete),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'many_increment',
                title: 'B9 many counters',
                work: 'a counter of a batch that one call raises',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManyIncrement),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'single_increment',
                title: 'B9 one counter at a time',
                work: 'a counter of a batch that is raised one by one',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleIncrement),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'many_get_objects',
                title: 'B9 many objects: get',
                work: 'an object of a batch that one call reads, serialized by PHP',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManyGetObjects),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'single_get_objects',
                title: 'B9 one object at a time: get',
                work: 'an object of a batch that is read one by one, serialized by the client',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleGetObjects),
                subjects: $objects,
                full: $one,
            ),
            new Test(
                'many_set_objects',
                title: 'B9 many objects: set',
                work: 'an object of a batch that one call sets, serialized by PHP',
                unit: 'keys',
                workload: new InProcess(BatchOperations::ManySetObjects),
                subjects: self::MANY,
                full: $one,
            ),
            new Test(
                'single_set_objects',
                title: 'B9 one object at a time: set',
                work: 'an object of a batch that is set one by one, serialized by the client',
                unit: 'keys',
                workload: new InProcess(BatchOperations::SingleSetObjects),
                subjects: $objects,
                full: $one,
            ),
        ];
    }

    /**
     * The measurements behind what is said of the memcached client; see docs/reference/bench.md.
     *
     * @return list<Test>
     */
    public static function ofCallLoops(): array
    {
        $near = ['batch' => 50, 'values' => 'even', 'workers' => 1];
        $single = [
            'raw', 'raw-meta', 'raw-unix', 'larder', 'larder#2', 'larder-unshared', 'larder-unix', 'larder-udp',
            'memcached', 'memcached-tuned', 'memcache', 'phpredis',
        ];
        $many = [
            'raw', 'raw-meta', 'larder', 'larder-unshared', 'larder-unix', 'larder-udp', 'memcached',
            'memcached-tuned', 'memcache', 'phpredis-pipelined',
        ];
        $six = ['raw@6', 'raw-meta@6', 'larder@6', 'memcached@6', 'memcache@6'];
        $more = ['larder', 'larder@2', 'larder@3', 'larder@6'];
        $rows = [];
        foreach (Calls::cases() as $calls) {
            $name = 'calls_' . $calls->value;
            $title = 'Client: ' . str_replace('_', ' ', $calls->value);
            $work = new InProcess(new CallLoop($calls));
            $unit = $calls->isForMany() ? 'a key of the 50 that one call is for' : 'a call for one key';
            $rows[] = new Test(
                $name,
                title: $title,
                work: $unit,
                unit: 'keys',
                workload: $work,
                subjects: $calls->isForMany() ? $many : $single,
                full: [$near],
            );
            if ($calls->isForMany()) {
                $rows[] = new Test(
                    $name . '_apart',
                    title: $title . ', or one by one',
                    work: $unit,
                    unit: 'keys',
                    workload: $work,
                    subjects: ['larder', 'larder-singly'],
                    full: [[...$near, 'rtt' => 0.2]],
                );
                $rows[] = new Test(
                    $name . '_far',
                    title: $title . ', six far servers',
                    work: $unit,
                    unit: 'keys',
                    workload: $work,
                    subjects: $six,
                    full: [[...$near, 'rtt' => 1]],
                );
                $rows[] = new Test(
                    $name . '_more',
                    title: $title . ', more and more servers',
                    work: 'a key of the 50 for each server that one call is for',
                    unit: 'keys',
                    workload: $work,
                    subjects: $more,
                    full: [['values' => 'even', 'workers' => 1, 'rtt' => 1, 'per_server' => 50]],
                );
            }
        }

        return $rows;
    }

    /**
     * Larder's modules memcached and memcache against those of these names: the same code on another module.
     *
     * @return list<Test>
     */
    public static function ofModules(): array
    {
        $one = ['memcached', 'larder-memcached', 'memcache', 'larder-memcache'];
        $six = ['memcached@6', 'larder-memcached@6', 'memcache@6', 'larder-memcache@6'];
        $rows = [];
        foreach (Calls::cases() as $calls) {
            $rows[] = self::module($calls, '', '', $one);
            if ($calls === Calls::GetMany) {
                $three = ['memcached@3', 'larder-memcached@3', 'memcache@3', 'larder-memcache@3'];
                $rows[] = self::module($calls, '_3', ', three servers', $three);
                $rows[] = self::module($calls, '_6', ', six servers', $six);
            }
            if ($calls->isForMany()) {
                $rows[] = self::module($calls, '_far', ', six far servers', ['raw@6', ...$six], 1);
            }
            if ($calls === Calls::GetMany || $calls === Calls::SetMany) {
                $symfony = ['memcached-symfony', 'larder-memcached-symfony'];
                $rows[] = self::module($calls, '_symfony', ' by symfony/cache', $symfony);
            }
        }

        return $rows;
    }

    /** @param list<string> $subjects */
    private static function module(
        Calls $calls,
        string $name,
        string $title,
        array $subjects,
        int $rtt = 0,
    ): Test {
        return new Test(
            'modules_' . $calls->value . $name,
            title: 'Modules: ' . str_replace('_', ' ', $calls->value) . $title,
            work: $calls->isForMany() ? 'a key of the 50 that one call is for' : 'a call for one key',
            unit: 'keys',
            workload: new InProcess(new CallLoop($calls)),
            subjects: $subjects,
            full: [['batch' => 50, 'values' => 'even', 'rtt' => $rtt, 'workers' => 1]],
        );
    }
}
