<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** B2: the serializers, with and without a compressor. */
final readonly class CodingTable
{
    private const ENCODERS = [
        'php', 'php+zlib', 'php+zstd', 'igbinary', 'igbinary+zlib', 'igbinary+zstd', 'msgpack', 'msgpack+zlib',
        'msgpack+zstd', 'json', 'json+zlib', 'json+zstd',
    ];

    /** @return list<Test> */
    public static function tests(): array
    {
        $shapes = Test::each('shape', ['small', 'rows', 'graph', 'strings', 'nested'], ['workers' => 1]);
        $plain = ['php', 'igbinary', 'msgpack', 'json', 'igbinary+zlib'];

        return [
            new Test(
                'encode',
                title: 'B2 encode',
                work: 'a value becomes bytes',
                unit: 'values',
                workload: new InProcess(new Coding(false)),
                subjects: self::ENCODERS,
                full: $shapes,
            ),
            new Test(
                'decode',
                title: 'B2 decode',
                work: 'bytes become the value',
                unit: 'values',
                workload: new InProcess(new Coding(true)),
                subjects: self::ENCODERS,
                quick: [['shape' => 'rows', 'workers' => 1]],
                full: $shapes,
                quickSubjects: $plain,
            ),
        ];
    }
}
