<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

final readonly class Msgpack implements Encoder
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        return msgpack_pack($value);
    }

    public function decode(string $bytes): mixed
    {
        $value = @msgpack_unpack($bytes);
        // Its answer to rubbish is also a value that it could have been given.
        if (($value === null || $value === false) && $bytes !== msgpack_pack($value)) {
            throw SubjectFailed::during('msgpack_unpack', \strlen($bytes) . ' bytes', 'not what msgpack makes');
        }

        return $value;
    }
}
