<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

/** Values that protocols, SQL and file names trip over. */
final readonly class Samples
{
    /** @return array<string, string> */
    public static function values(): array
    {
        $all = implode('', array_map(\chr(...), range(0, 255)));

        return [
            'one' => 'x',
            'zero' => "\0",
            'newlines' => "\r\n\r\nEND\r\n\r\n",
            'command' => "a\r\nset b 0 0 1\r\nx\r\n",
            'quotes' => "'; DROP TABLE pairs; -- \\' \" \\0 %s ? :k",
            'all' => $all,
            'backwards' => strrev($all) . $all,
            'utf8' => 'héllo wörld €',
            'number' => '0012',
            'serialized' => 'a:1:{i:0;O:8:"stdClass":0:{}}',
            '4k' => str_repeat('compressible ', 315),
            '500k' => random_bytes(500_000),
            '300k' => str_repeat("many\x01times\t", 27_000),
        ];
    }
}
