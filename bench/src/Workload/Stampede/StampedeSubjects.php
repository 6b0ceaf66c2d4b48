<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Closure;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;

/** The hand-written caches of the catalogue: `none-memcached`, `soft-redis`, `lock-memory` and so on. */
final readonly class StampedeSubjects
{
    public static function has(string $id): bool
    {
        return preg_match('/^(none|soft|lock)-\w+$/D', $id) === 1;
    }

    /** @return list<Definition> */
    public static function rows(): array
    {
        $stores = [
            'memory' => ['shared-memory', static fn(): TtlStore => new MemoryTtlStore()],
            'memcached' => ['memcached-tuned', static fn(): TtlStore => new MemcachedTtlStore()],
            'redis' => ['phpredis', static fn(): TtlStore => new RedisTtlStore()],
        ];
        $rows = [];
        foreach ($stores as $name => [$like, $make]) {
            $store = Catalogue::withOnly($like)->get($like);
            foreach (Protection::cases() as $protection) {
                $rows[] = self::row($name, $store, $protection, $make);
            }
        }

        return $rows;
    }

    /**
     * @param Definition          $store the subject whose server, terms and extensions the cache has
     * @param Closure(): TtlStore $make
     */
    private static function row(string $name, Definition $store, Protection $protection, Closure $make): Definition
    {
        return new Definition(
            $protection->value . '-' . $name,
            \sprintf('%s: %s', $store->title, $protection->title()),
            HandWrittenCache::class,
            static fn(): HandWrittenCache => new HandWrittenCache($protection, $make()),
            $store->needs,
            terms: [
                ...$store->terms,
                'serializer' => $store->terms['serializer'] ?? 'php',
                'protection' => $protection->terms(),
            ],
            extensions: $store->extensions,
            shared: $store->shared,
            ini: $store->ini,
        );
    }
}
