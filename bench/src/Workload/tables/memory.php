<?php

declare(strict_types=1);

use Larder\Bench\Workload\Memory\CountLoop;
use Larder\Bench\Workload\Memory\Footprint;
use Larder\Bench\Workload\Memory\GetLoop;
use Larder\Bench\Workload\Memory\HitRatio;
use Larder\Bench\Workload\Memory\NewKeys;
use Larder\Bench\Workload\Memory\SetLoop;
use Larder\Bench\Workload\Memory\Value;
use Larder\Bench\Workload\Memory\WriteLoop;

// The measurements behind what is said of the store in shared memory; see docs/reference/bench.md.

$apcu = 'apcu apcu+default apcu+igbinary';
$small = 'shared-memory-64m apcu-64m';
$one = ['workers' => 1];

return [
    'memory_get' => [
        'Memory: get', 'a get of the same key, and again', 'gets', new GetLoop(),
        'noop array include shared-memory shared-memory-copy ' . $apcu,
        [[...$one, 'value' => ['int', 'string', 'rows']]],
        'quick' => [[...$one, 'value' => 'rows']],
        'quickSubjects' => 'noop include shared-memory apcu apcu+igbinary',
    ],
    'memory_sizes' => [
        'Memory: get by size', 'a get from shared memory of the value that the subject is named for', 'gets',
        new GetLoop(), 'value-int value-string value-text value-fields value-row value-keys value-rows', [$one],
    ],
    'memory_readers' => [
        'Memory: readers at once', 'a get of an int by one process, or by two', 'gets', new GetLoop(Value::Int),
        'shared-memory shared-memory*2 apcu apcu*2', [[...$one, 'writer' => [0, 10_000]]],
    ],
    'memory_set' => [
        'Memory: set', 'a set that replaces another; every 65th is read back', 'sets', new SetLoop(),
        'noop array shared-memory-copy ' . $apcu, [[...$one, 'value' => 'rows']],
    ],
    'memory_write' => [
        'Memory: set of the same key', 'a set of one of eight keys, again', 'sets', new WriteLoop(), 'noop ' . $small,
        [[...$one, 'size' => [0, 100, 400]]],
    ],
    'memory_new' => [
        'Memory: set of a new key',
        'a set of a key that was never there, of 12 bytes, where there is room, or where each evicts', 'sets',
        new NewKeys(), $small, [['size' => [0, 100], 'room' => ['new', 'free', 'full']]],
    ],
    'memory_count' => [
        'Memory: increment', 'an increment by one process, or by two, each of its own counter', 'increments',
        new CountLoop(), 'noop shared-memory-64m shared-memory-64m*2 apcu-64m apcu-64m*2', [$one],
    ],
    'memory_bytes' => [
        'Memory: bytes of a value', 'a set of a new key', 'sets', new Footprint(), 'shared-memory ' . $apcu,
        [['value' => array_column(Value::cases(), 'value')]],
        'blocks' => 1,
    ],
    'memory_hits' => [
        'Memory: hit ratio of a full cache', 'a get of 1,000 bytes, or of 100, and on a miss a set', 'requests',
        new HitRatio(), 'shared-memory-16m apcu-16m',
        [['pattern' => ['zipf', 'scan']], ['size' => 100, 'keys' => 400_000, 'pattern' => ['zipf', 'scan']]],
        'blocks' => 1,
    ],
];
