<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

final readonly class Php implements Encoder
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        return serialize($value);
    }

    public function decode(string $bytes): mixed
    {
        $value = @unserialize($bytes);

        return $value !== false || $bytes === 'b:0;' ? $value : throw SubjectFailed::during('unserialize', \strlen($bytes) . ' bytes', 'not what serialize() makes');
    }
}
