<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Result\Role;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Encoder;

/**
 * PHP's serializer, those of extensions, and none at all, with or without a compressor behind it.
 *
 * What a broken text decodes to is in some of them also a valid value (null, false). So such an answer counts only if
 * that value encodes to the very same text.
 */
final readonly class Serializer implements Encoder
{
    private const JSON = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION;

    private const NO_FASTLZ = 'fastlz is missing: it is inside ext-memcached alone, and PHP code cannot call it';

    private const ZLIB_LEVEL = 6;
    private const ZSTD_LEVEL = 3;

    /**
     * @param 'php'|'igbinary'|'msgpack'|'json'|'none' $name json: objects come back as arrays, and bytes that are not
     *     UTF-8 are refused; none: takes strings only
     * @param 'zlib'|'zstd'|null $compressor of the text, for values of any size
     */
    public function __construct(
        public string $name,
        private ?string $compressor = null,
    ) {}

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

        if (!\is_string($bytes)) {
            throw Failed::during($this->name . ' encode', get_debug_type($value), 'refused');
        }

        return $this->compressor === null ? $bytes : $this->compressed($bytes);
    }

    public function decode(string $bytes): mixed
    {
        $text = $this->compressor === null ? $bytes : $this->uncompressed($bytes);
        $value = match ($this->name) {
            'php' => @unserialize($text),
            'igbinary' => @igbinary_unserialize($text),
            'msgpack' => @msgpack_unpack($text),
            'json' => json_decode($text, true, 512, JSON_THROW_ON_ERROR),
            'none' => $text,
        };
        if (($value === null || $value === false) && $this->name !== 'json' && $bytes !== $this->encode($value)) {
            throw Failed::during($this->name . ' decode', \strlen($bytes) . ' bytes', 'not what it encodes');
        }

        return $value;
    }

    /**
     * Every serializer, by itself and with every compressor behind it.
     *
     * @return list<Definition>
     */
    public static function subjects(): array
    {
        $all = [];
        foreach (['php', 'igbinary', 'msgpack', 'json', 'none'] as $id) {
            $plain = new Definition(
                $id,
                $id === 'none' ? 'no serializer' : $id,
                self::class,
                static fn(): self => new self($id),
                role: $id === 'none' ? Role::Floor : Role::Contender,
                terms: [...self::terms($id), 'compression' => 'none'],
                extensions: $id === 'igbinary' || $id === 'msgpack' ? [$id] : [],
            );
            foreach ([null, 'zlib', 'zstd'] as $by) {
                $all[] = $by === null ? $plain : self::withCompressor($plain, $id, $by);
            }
        }

        return $all;
    }

    /**
     * @param 'php'|'igbinary'|'msgpack'|'json'|'none' $name
     * @param 'zlib'|'zstd'                            $by
     */
    private static function withCompressor(Definition $plain, string $name, string $by): Definition
    {
        $words = $by === 'zlib'
            ? \sprintf('zlib, level %d', self::ZLIB_LEVEL)
            : \sprintf('zstd %s, level %d', self::version('zstd'), self::ZSTD_LEVEL);

        return $plain->with(
            $plain->id . '+' . $by,
            $plain->id . ', ' . $by,
            make: static fn(): self => new self($name, $by),
            role: Role::Contender,
            terms: [...$plain->terms, 'compression' => $words . ', values of any size; ' . self::NO_FASTLZ],
            extensions: [...$plain->extensions, $by],
        );
    }

    /** @return array<string, string> */
    private static function terms(string $id): array
    {
        return match ($id) {
            'json' => [
                'serializer' => 'json ' . PHP_VERSION,
                'note' => 'plain data only: objects come back as arrays, bytes that are not UTF-8 are refused',
            ],
            'none' => ['serializer' => 'none', 'note' => 'strings only'],
            'php' => ['serializer' => 'php ' . PHP_VERSION],
            default => ['serializer' => $id . ' ' . self::version($id)],
        };
    }

    private static function version(string $extension): string
    {
        $version = phpversion($extension);

        return $version === false ? '(absent)' : $version;
    }

    private function compressed(string $text): string
    {
        $bytes = $this->compressor === 'zlib'
            ? gzcompress($text, self::ZLIB_LEVEL)
            : zstd_compress($text, self::ZSTD_LEVEL);

        return $bytes === false
            ? throw Failed::during($this->compressor . ' compress', \strlen($text) . ' bytes', 'refused')
            : $bytes;
    }

    private function uncompressed(string $bytes): string
    {
        $text = $this->compressor === 'zlib' ? @gzuncompress($bytes) : @zstd_uncompress($bytes);

        return $text === false
            ? throw Failed::during(
                $this->compressor . ' uncompress',
                \strlen($bytes) . ' bytes',
                'not what it compresses',
            )
            : $text;
    }
}
