<?php

declare(strict_types=1);

use Larder\Bench\Workload\Encoding\Coding;

// B2: the serializers, with and without a compressor.

$encoders = 'php php+zlib php+zstd igbinary igbinary+zlib igbinary+zstd msgpack msgpack+zlib msgpack+zstd json '
    . 'json+zlib json+zstd';
$shapes = ['workers' => 1, 'shape' => ['small', 'rows', 'graph', 'strings', 'nested']];

return [
    'encode' => ['B2 encode', 'a value becomes bytes', 'values', new Coding(false), $encoders, [$shapes]],
    'decode' => [
        'B2 decode', 'bytes become the value', 'values', new Coding(true), $encoders, [$shapes],
        'quick' => [['shape' => 'rows', 'workers' => 1]], 'quickSubjects' => 'php igbinary msgpack json igbinary+zlib',
    ],
];
