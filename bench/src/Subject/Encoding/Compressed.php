<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Encoder;

/** A compressor behind a serializer, for values of any size. */
final readonly class Compressed implements Encoder
{
    public const ZLIB_LEVEL = 6;
    public const ZSTD_LEVEL = 3;

    /** @param 'zlib'|'zstd' $by */
    public function __construct(
        private Encoder $inner,
        private string $by,
    ) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $plain = $this->inner->encode($value);
        $bytes = $this->by === 'zlib' ? gzcompress($plain, self::ZLIB_LEVEL) : zstd_compress($plain, self::ZSTD_LEVEL);

        return $bytes === false
            ? throw Failed::during($this->by . ' compress', get_debug_type($value), 'refused')
            : $bytes;
    }

    public function decode(string $bytes): mixed
    {
        $plain = $this->by === 'zlib' ? @gzuncompress($bytes) : @zstd_uncompress($bytes);

        return $this->inner->decode($plain === false
            ? throw Failed::during($this->by . ' uncompress', \strlen($bytes) . ' bytes', 'not what it compresses')
            : $plain);
    }
}
