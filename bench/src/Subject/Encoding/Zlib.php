<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

/** zlib behind a serializer, for values of any size. */
final readonly class Zlib implements Encoder
{
    public const LEVEL = 6;

    public function __construct(private Encoder $inner) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $bytes = gzcompress($this->inner->encode($value), self::LEVEL);

        return $bytes === false ? throw SubjectFailed::during('gzcompress', get_debug_type($value), 'refused') : $bytes;
    }

    public function decode(string $bytes): mixed
    {
        $plain = @gzuncompress($bytes);

        return $this->inner->decode($plain === false ? throw SubjectFailed::during('gzuncompress', \strlen($bytes) . ' bytes', 'not what zlib makes') : $plain);
    }
}
