<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;

/** For plain data: objects come back as arrays, and bytes that are not UTF-8 are refused. */
final readonly class Json implements Encoder
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
    }

    public function decode(string $bytes): mixed
    {
        return json_decode($bytes, true, 512, JSON_THROW_ON_ERROR);
    }
}
