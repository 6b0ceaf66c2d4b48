<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** A serializer, with or without a compressor behind it. */
interface Encoder extends Subject
{
    public function encode(mixed $value): string;

    public function decode(string $bytes): mixed;
}
