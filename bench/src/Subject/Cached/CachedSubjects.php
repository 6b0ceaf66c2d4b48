<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Closure;
use Composer\InstalledVersions;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Local;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Subject\Tagged;

/** What an application caches with: ours, and symfony/cache. */
final readonly class CachedSubjects
{
    private const APCU = [
        'apc.enabled' => '1',
        'apc.enable_cli' => '1',
        'apc.shm_size' => '256M',
        'apc.serializer' => 'php',
    ];

    /** Three names that values of the subjects `…-reads` are made from, and ten of `…-reads-10`. */
    private const READS = ['tag:1', 'tag:2', 'tag:3'];
    private const MORE_READS = [
        ...self::READS, 'tag:4', 'tag:5', 'tag:6', 'tag:7', 'tag:8', 'tag:9', 'tag:10',
    ];

    /** What seals the values of these rows, where a server keeps them. */
    private const SEALED = ['-sealed' => 'xchacha20-poly1305', '-sealed-aes' => 'aes-256-gcm'];

    /** What Symfony's pools with tags take part with, and those without. */
    private const TAGS = [MemoryReporting::class, Tagged::class];
    private const NO_TAGS = [KeyValue::class, MemoryReporting::class, Remembering::class, Objects::class];

    /** @return list<Definition> */
    public static function all(): array
    {
        $memory = Local\LocalSubjects::memory('share');

        return [
            ...array_merge(...array_map(
                static fn(StoreKind $kind): array => self::larder($memory, $kind),
                [
                    StoreKind::Memory,
                    StoreKind::Memcached,
                    StoreKind::MemcachedClient,
                    StoreKind::Redis,
                    StoreKind::Tiered,
                ],
            )),
            ...array_map(
                static fn(StoreKind $kind): Definition => self::symfony($memory, $kind),
                [StoreKind::Apcu, StoreKind::Files, StoreKind::Memcached, StoreKind::Redis],
            ),
            self::tags($memory, 'symfony-tags', 'Symfony cache with tags, Redis', StoreKind::Redis),
            self::tags($memory, 'symfony-tags-apcu', 'Symfony cache with tags, APCu', StoreKind::Apcu),
            self::tags($memory, 'symfony-tag-sets', 'Symfony cache with tags, sets in Redis', StoreKind::Redis, true),
        ];
    }

    /** @param array<string, string> $memory see row() */
    private static function tags(
        array $memory,
        string $id,
        string $title,
        StoreKind $kind,
        bool $sets = false,
    ): Definition {
        $make = static fn(): SymfonyCache => new SymfonyCache($kind, tags: $sets ? 'sets' : 'versions');

        return self::row($memory, $id, $title, SymfonyCache::class, $make, $kind, [
            ...self::symfonyTerms($kind),
            'tags' => $sets
                ? 'RedisTagAwareAdapter: a set of keys for each, which are deleted when it is invalidated'
                : 'TagAwareAdapter: a version for each, kept by a process for 0.15 s, its default, in which it does not'
                    . ' see others\' changes',
        ], only: self::TAGS);
    }

    /**
     * @param array<string, string> $memory see row()
     *
     * @return list<Definition> default, without early refresh, with three dependencies and with ten, and copying where
     *     there is a choice, and sealed on servers
     */
    private static function larder(array $memory, StoreKind $kind): array
    {
        $id = 'cache-' . $kind->value;
        $title = 'Larder cache, ' . self::words($kind);
        $terms = self::larderTerms($kind);

        $copied = 'memory that forked workers share; values are copied, as in every CLI process';
        $rows = [
            ...$kind !== StoreKind::Memory ? [] : [['-copy', ', copying', ['protocol' => $copied]]],
            ['', '', []],
            ['-late', ', never early', ['early' => '0: a value is made anew when its ttl has ended, and not before']],
            ['-reads', ', 3 dependencies', ['dependencies' => 'three; their versions are in the same store']],
            ['-reads-10', ', 10 dependencies', ['dependencies' => 'ten; their versions are in the same store']],
        ];
        if ($kind === StoreKind::Memcached || $kind === StoreKind::Redis) {
            foreach (self::SEALED as $end => $cipher) {
                $rows[] = [$end, ', sealed by ' . $cipher, ['seal' => $cipher . ', each value before it is sent']];
            }
        }

        return array_map(static fn(array $row): Definition => self::row(
            $memory,
            $id . $row[0],
            $title . $row[1],
            LarderCache::class,
            static fn(): LarderCache => new LarderCache(
                $kind,
                ['-reads' => self::READS, '-reads-10' => self::MORE_READS][$row[0]] ?? [],
                $row[0] === '-late' ? 0.0 : 1.0,
                self::SEALED[$row[0]] ?? null,
            ),
            $kind,
            [...$terms, ...$row[2]],
            $row[0] === '-copy' ? ['larder.share' => '0'] : [],
        ), $rows);
    }

    /** @param array<string, string> $memory see row() */
    private static function symfony(array $memory, StoreKind $kind): Definition
    {
        return self::row(
            $memory,
            'symfony-' . $kind->value,
            'Symfony cache, ' . self::words($kind),
            SymfonyCache::class,
            static fn(): SymfonyCache => new SymfonyCache($kind),
            $kind,
            self::symfonyTerms($kind),
            only: self::NO_TAGS,
        );
    }

    /**
     * @param array<string, string>  $memory php.ini values of a process with shared memory as php-fpm has it
     * @param class-string<Subject>  $class
     * @param Closure(): Subject     $make
     * @param array<string, string>  $terms
     * @param array<string, string>  $more  php.ini values
     * @param list<class-string<Subject>>|null $only
     */
    private static function row(
        array $memory,
        string $id,
        string $title,
        string $class,
        Closure $make,
        StoreKind $kind,
        array $terms,
        array $more = [],
        ?array $only = null,
    ): Definition {
        $ours = $class === LarderCache::class;
        $needs = match ($kind) {
            StoreKind::Memcached, StoreKind::MemcachedClient, StoreKind::Tiered => Kind::Memcached,
            StoreKind::Redis => Kind::Redis,
            default => Kind::None,
        };
        $extensions = match ($kind) {
            StoreKind::Apcu => ['apcu'],
            StoreKind::Files => ['Zend OPcache'],
            StoreKind::Redis => ['redis'],
            StoreKind::Memcached => $ours ? [] : ['memcached'],
            default => [],
        };
        $ini = match ($kind) {
            StoreKind::Apcu => self::APCU,
            StoreKind::Files => [
                'opcache.enable_cli' => '1',
                'opcache.validate_timestamps' => '0',
                'opcache.file_update_protection' => '0',
            ],
            StoreKind::Memory, StoreKind::Tiered => $memory,
            default => $ours ? array_intersect_key($memory, ['extension' => '']) : [],
        };

        // With opcache, as under php-fpm.
        return new Definition(
            $id,
            $title,
            $class,
            $make,
            $needs,
            terms: $terms,
            extensions: [...($ours ? ['larder'] : []), ...$extensions],
            shared: $needs !== Kind::None,
            ini: ['opcache.enable_cli' => '1', ...$ini, ...$more],
            exact: $ours,
            only: $only,
        );
    }

    /** @return array<string, string> */
    private static function larderTerms(StoreKind $kind): array
    {
        return [
            'client' => 'Larder\Cache ' . (phpversion('larder') === false ? '(absent)' : phpversion('larder')),
            'early' => '1, its default: a value that is costly to make is made anew before its ttl ends',
            ...match ($kind) {
                StoreKind::Memory => [
                    'protocol' => 'memory that forked workers share; arrays are handed out as they lie there',
                    'serializer' => 'none; php for objects',
                ],
                StoreKind::Tiered => [
                    'protocol' => 'shared memory in front of memcached, confirmed there for each read (lag 0)',
                    'serializer' => 'php',
                    ...self::served('TCP', 'on', 'none, its default'),
                ],
                StoreKind::Memcached,
                StoreKind::MemcachedClient => [
                    'protocol' => 'meta commands with an opaque each',
                    'serializer' => 'php',
                    ...self::served('TCP', 'on', 'none, its default'),
                ],
                default => [
                    'protocol' => 'RESP 2, by phpredis ' . (string) phpversion('redis'),
                    'serializer' => 'php',
                    ...self::served('TCP', 'on, its default', 'none'),
                ],
            },
        ];
    }

    /** @return array<string, string> */
    private static function symfonyTerms(StoreKind $kind): array
    {
        return [
            'client' => 'symfony/cache ' . (string) InstalledVersions::getPrettyVersion('symfony/cache'),
            'lock' => 'LockRegistry, its default under php-fpm: one process of a host computes, the others wait',
            ...match ($kind) {
                StoreKind::Apcu => ['protocol' => 'memory that forked workers share', 'serializer' => 'APCu\'s: php'],
                StoreKind::Files => [
                    'protocol' => 'a PHP file for each value, compiled by opcache',
                    'serializer' => 'var_export',
                    'tuned' => 'opcache.validate_timestamps = 0: files are never looked at again unless this process '
                        . 'tree wrote them',
                ],
                StoreKind::Memcached => [
                    'protocol' => 'binary, as its createConnection() has it',
                    'serializer' => 'php',
                    ...self::served('TCP', 'on', 'ext-memcached\'s default'),
                ],
                default => [
                    'protocol' => 'RESP 2, by phpredis ' . (string) phpversion('redis'),
                    'serializer' => 'php, its default marshaller',
                    ...self::served('TCP', 'on, its default', 'none'),
                ],
            },
        ];
    }

    /** @return array<string, string> */
    private static function served(string $transport, string $nodelay, string $compression): array
    {
        return [
            'transport' => $transport,
            'persistent' => 'no',
            'nodelay' => $nodelay,
            'compression' => $compression,
            'time-outs' => 'those of the bench (5 s), where they can be set',
        ];
    }

    private static function words(StoreKind $kind): string
    {
        return match ($kind) {
            StoreKind::Memory => 'shared memory',
            StoreKind::Apcu => 'APCu',
            StoreKind::Files => 'PHP files',
            StoreKind::Memcached => 'memcached',
            StoreKind::MemcachedClient => 'memcached, without a namespace',
            StoreKind::Redis => 'Redis',
            StoreKind::Tiered => 'shared memory before memcached',
        };
    }
}
