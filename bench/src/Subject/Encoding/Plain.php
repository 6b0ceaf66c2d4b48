<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

/** No serializer: strings as they are, and nothing else. */
final readonly class Plain implements Encoder
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        return \is_string($value) ? $value : throw SubjectFailed::during('encode', get_debug_type($value), 'no string');
    }

    public function decode(string $bytes): string
    {
        return $bytes;
    }
}
