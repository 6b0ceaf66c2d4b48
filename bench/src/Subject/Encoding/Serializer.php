<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Encoder;

/**
 * PHP's serializer, those of extensions, and none at all.
 *
 * What a broken text decodes to is in some of them also a valid value (null, false). So such an answer counts only if
 * that value encodes to the very same text.
 */
final readonly class Serializer implements Encoder
{
    private const JSON = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION;

    /**
     * @param 'php'|'igbinary'|'msgpack'|'json'|'none' $name json: objects come back as arrays, and bytes that are not
     *     UTF-8 are refused; none: takes strings only
     */
    public function __construct(public string $name) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function encode(mixed $value): string
    {
        $bytes = match ($this->name) {
            'php' => serialize($value),
            'igbinary' => igbinary_serialize($value),
            'msgpack' => msgpack_pack($value),
            'json' => json_encode($value, self::JSON),
            'none' => $value,
        };

        return \is_string($bytes)
            ? $bytes
            : throw Failed::during($this->name . ' encode', get_debug_type($value), 'refused');
    }

    public function decode(string $bytes): mixed
    {
        $value = match ($this->name) {
            'php' => @unserialize($bytes),
            'igbinary' => @igbinary_unserialize($bytes),
            'msgpack' => @msgpack_unpack($bytes),
            'json' => json_decode($bytes, true, 512, JSON_THROW_ON_ERROR),
            'none' => $bytes,
        };
        if (($value === null || $value === false) && $this->name !== 'json' && $bytes !== $this->encode($value)) {
            throw Failed::during($this->name . ' decode', \strlen($bytes) . ' bytes', 'not what it encodes');
        }

        return $value;
    }
}
