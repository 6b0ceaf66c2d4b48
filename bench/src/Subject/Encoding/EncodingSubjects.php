<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Encoder;

/** Every serializer, by itself and with every compressor behind it. */
final readonly class EncodingSubjects
{
    private const NO_FASTLZ = 'fastlz is missing: it is inside ext-memcached alone, and PHP code cannot call it';

    /** @return list<Definition> */
    public static function all(): array
    {
        $rows = [];
        foreach (['php' => PHP_VERSION, 'igbinary' => phpversion('igbinary'), 'msgpack' => phpversion('msgpack'), 'json' => PHP_VERSION, 'none' => ''] as $id => $version) {
            $make = self::serializer($id);
            $terms = [
                'serializer' => trim($id . ' ' . ($version === false ? '(absent)' : $version)),
                ...match ($id) {
                    'json' => ['note' => 'plain data alone: objects come back as arrays, bytes that are not UTF-8 are refused'],
                    'none' => ['note' => 'strings alone'],
                    default => [],
                },
            ];
            $needed = $id === 'igbinary' || $id === 'msgpack' ? [$id] : [];
            $rows[] = new Definition($id, $id === 'none' ? 'no serializer' : $id, $make()::class, $make, role: $id === 'none' ? Role::Floor : Role::Contender, terms: [...$terms, 'compression' => 'none'], extensions: $needed);
            $rows[] = new Definition($id . '+zlib', $id . ', zlib', Zlib::class, static fn(): Zlib => new Zlib($make()), terms: [
                ...$terms,
                'compression' => \sprintf('zlib, level %d, values of any size; %s', Zlib::LEVEL, self::NO_FASTLZ),
            ], extensions: [...$needed, 'zlib']);
            $rows[] = new Definition($id . '+zstd', $id . ', zstd', Zstd::class, static fn(): Zstd => new Zstd($make()), terms: [
                ...$terms,
                'compression' => \sprintf('zstd %s, level %d, values of any size; %s', phpversion('zstd') === false ? '(absent)' : phpversion('zstd'), Zstd::LEVEL, self::NO_FASTLZ),
            ], extensions: [...$needed, 'zstd']);
        }

        return $rows;
    }

    /** @return Closure(): Encoder */
    private static function serializer(string $id): Closure
    {
        return match ($id) {
            'igbinary' => static fn(): Encoder => new Igbinary(),
            'msgpack' => static fn(): Encoder => new Msgpack(),
            'json' => static fn(): Encoder => new Json(),
            'none' => static fn(): Encoder => new Plain(),
            default => static fn(): Encoder => new Php(),
        };
    }
}
