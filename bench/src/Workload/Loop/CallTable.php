<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Loop;

use Larder\Bench\Subject\Calls;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** The measurements behind what is said of the memcached client; see docs/reference/bench.md. */
final readonly class CallTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $near = ['batch' => 50, 'values' => 'even', 'workers' => 1];
        $single = [
            'raw', 'raw-meta', 'raw-unix', 'larder', 'larder#2', 'larder-unix', 'larder-udp', 'memcached',
            'memcached-tuned', 'memcache', 'phpredis',
        ];
        $many = [
            'raw', 'raw-meta', 'larder', 'larder-unix', 'larder-udp', 'memcached', 'memcached-tuned', 'memcache',
            'phpredis-pipelined',
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
}
