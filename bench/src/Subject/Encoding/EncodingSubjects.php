<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Encoding;

use Larder\Bench\Result\Role;
use Larder\Bench\Subject\Definition;

/** Every serializer, by itself and with every compressor behind it. */
final readonly class EncodingSubjects
{
    private const NO_FASTLZ = 'fastlz is missing: it is inside ext-memcached alone, and PHP code cannot call it';

    /** @return list<Definition> */
    public static function all(): array
    {
        $all = [];
        foreach (['php', 'igbinary', 'msgpack', 'json', 'none'] as $id) {
            $serializer = new Serializer($id);
            $plain = new Definition(
                $id,
                $id === 'none' ? 'no serializer' : $id,
                Serializer::class,
                static fn(): Serializer => $serializer,
                role: $id === 'none' ? Role::Floor : Role::Contender,
                terms: [...self::terms($id), 'compression' => 'none'],
                extensions: $id === 'igbinary' || $id === 'msgpack' ? [$id] : [],
            );
            array_push($all, $plain, self::compressed($plain, 'zlib'), self::compressed($plain, 'zstd'));
        }

        return $all;
    }

    /** @param 'zlib'|'zstd' $by */
    private static function compressed(Definition $plain, string $by): Definition
    {
        $words = $by === 'zlib'
            ? \sprintf('zlib, level %d', Compressed::ZLIB_LEVEL)
            : \sprintf('zstd %s, level %d', self::version('zstd'), Compressed::ZSTD_LEVEL);
        $make = static function () use ($plain, $by): Compressed {
            $inner = ($plain->make)();
            \assert($inner instanceof Serializer);

            return new Compressed($inner, $by);
        };

        return $plain->with(
            $plain->id . '+' . $by,
            $plain->id . ', ' . $by,
            Compressed::class,
            $make,
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
}
