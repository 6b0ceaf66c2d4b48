<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

final readonly class Igbinary implements Encoder
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $bytes = igbinary_serialize($value);

        return \is_string($bytes) ? $bytes : throw SubjectFailed::during('igbinary_serialize', get_debug_type($value), 'refused');
    }

    public function decode(string $bytes): mixed
    {
        $value = @igbinary_unserialize($bytes);
        // Its answer to rubbish is also a value that it could have been given.
        if (($value === null || $value === false) && $bytes !== igbinary_serialize($value)) {
            throw SubjectFailed::during('igbinary_unserialize', \strlen($bytes) . ' bytes', 'not what igbinary makes');
        }

        return $value;
    }
}
