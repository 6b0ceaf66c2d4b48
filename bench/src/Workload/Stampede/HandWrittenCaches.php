<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;

/** The subjects of the stampede that are caches as they are written by hand. */
final readonly class HandWrittenCaches
{
    /** True if it is a hand-written cache: `none-memcached`, `soft-redis`, `lock-memory` and so on. */
    public static function hasSubject(string $id): bool
    {
        return preg_match('/^(none|soft|lock)-\w+$/D', $id) === 1;
    }

    /** @return list<Definition> the hand-written caches, with the server, terms and extensions of a plain subject */
    public static function subjects(): array
    {
        $stores = ['memory' => 'shared-memory', 'memcached' => 'memcached-tuned', 'redis' => 'phpredis'];
        $rows = [];
        foreach ($stores as $name => $id) {
            $store = Catalogue::withOnly($id)->get($id);
            foreach (HandWrittenCache::PROTECTIONS as $protection => [$title, $terms]) {
                $rows[] = new Definition(
                    $protection . '-' . $name,
                    \sprintf('%s: %s', $store->title, $title),
                    HandWrittenCache::class,
                    static fn(): HandWrittenCache => new HandWrittenCache($protection, new ClientTtlStore($name)),
                    $store->needs,
                    terms: [
                        ...$store->terms,
                        'serializer' => $store->terms['serializer'] ?? 'php',
                        'protection' => $terms,
                    ],
                    extensions: $store->extensions,
                    shared: $store->shared,
                    ini: $store->ini,
                );
            }
        }

        return $rows;
    }
}
