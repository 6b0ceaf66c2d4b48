<?php

declare(strict_types=1);

use Larder\Bench\Workload\Encoding\Coding;
use Larder\Bench\Workload\Encoding\Storing;

// B2: the serializers, with and without a compressor.

$encoders = 'php php+zlib php+zstd igbinary igbinary+zlib igbinary+zstd msgpack msgpack+zlib msgpack+zstd json '
    . 'json+zlib json+zstd';
$clients = 'larder+php larder-usual+php larder+igbinary larder-usual+igbinary larder+msgpack larder-usual+msgpack';
$plain = ['workers' => 1, 'shape' => ['small', 'piece', 'rows']];
$shapes = ['workers' => 1, 'shape' => ['small', 'rows', 'graph', 'strings', 'nested']];

return [
    'encode' => ['B2 encode', 'a value becomes bytes', 'values', new Coding(false), $encoders, [$shapes]],
    'decode' => [
        'B2 decode', 'bytes become the value', 'values', new Coding(true), $encoders, [$shapes],
        'quick' => [['shape' => 'rows', 'workers' => 1]], 'quickSubjects' => 'php igbinary msgpack json igbinary+zlib',
    ],
    'stored_get' => [
        'Values of listed classes: get', 'a get of a value that the client serializes', 'values', new Storing(true),
        $clients, [$plain],
    ],
    'stored_set' => [
        'Values of listed classes: set', 'a set of a value that the client serializes', 'values', new Storing(false),
        $clients, [$plain],
    ],
];
