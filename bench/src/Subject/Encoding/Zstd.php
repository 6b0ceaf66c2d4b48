<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

/** Zstandard behind a serializer, for values of any size. */
final readonly class Zstd implements Encoder
{
    public const LEVEL = 3;

    public function __construct(private Encoder $inner) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $bytes = zstd_compress($this->inner->encode($value), self::LEVEL);

        return $bytes === false ? throw SubjectFailed::during('zstd_compress', get_debug_type($value), 'refused') : $bytes;
    }

    public function decode(string $bytes): mixed
    {
        $plain = @zstd_uncompress($bytes);

        return $this->inner->decode($plain === false ? throw SubjectFailed::during('zstd_uncompress', \strlen($bytes) . ' bytes', 'not what zstd makes') : $plain);
    }
}
