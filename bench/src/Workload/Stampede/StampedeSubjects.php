<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Closure;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Workload\Stampede\Mode\LockWait;
use Larder\Bench\Workload\Stampede\Mode\MemcachedShelf;
use Larder\Bench\Workload\Stampede\Mode\MemoryShelf;
use Larder\Bench\Workload\Stampede\Mode\RedisShelf;
use Larder\Bench\Workload\Stampede\Mode\Shelf;
use Larder\Bench\Workload\Stampede\Mode\SoftExpiry;
use Larder\Bench\Workload\Stampede\Mode\Unprotected;

/** Lines of the Catalogue: what applications build against stampedes themselves, or do not: `none-memcached`, `soft-redis`, `lock-memory`. */
final readonly class StampedeSubjects
{
    public static function has(string $id): bool
    {
        return preg_match('/^(none|soft|lock)-\w+$/D', $id) === 1;
    }

    /** @return list<Definition> */
    public static function rows(): array
    {
        $shelves = [
            'memory' => [Catalogue::withOnly('shared-memory')->get('shared-memory'), static fn(): Shelf => new MemoryShelf()],
            'memcached' => [Catalogue::withOnly('memcached-tuned')->get('memcached-tuned'), static fn(): Shelf => new MemcachedShelf()],
            'redis' => [Catalogue::withOnly('phpredis')->get('phpredis'), static fn(): Shelf => new RedisShelf()],
        ];
        $rows = [];
        foreach ($shelves as $name => [$store, $shelf]) {
            $rows[] = self::row('none-' . $name, 'no protection', $store, Unprotected::class, static fn(): Unprotected => new Unprotected($shelf()), 'none: get, and where there is nothing compute and set');
            $rows[] = self::row('soft-' . $name, 'soft expiry', $store, SoftExpiry::class, static fn(): SoftExpiry => new SoftExpiry($shelf()), 'an earlier end inside the value; who sees it first stores the old one again and computes');
            $rows[] = self::row('lock-' . $name, 'a lock to wait for', $store, LockWait::class, static fn(): LockWait => new LockWait($shelf()), 'a key that one can add; the others look every 10 ms');
        }

        return $rows;
    }

    /**
     * @param class-string<Remembering> $class
     * @param Closure(): Remembering    $make
     */
    private static function row(string $id, string $title, Definition $store, string $class, Closure $make, string $words): Definition
    {
        return new Definition(
            $id,
            \sprintf('%s: %s', $store->title, $title),
            $class,
            $make,
            $store->needs,
            terms: [...$store->terms, 'serializer' => $store->terms['serializer'] ?? 'php', 'protection' => $words],
            extensions: $store->extensions,
            shared: $store->shared,
            ini: $store->ini,
        );
    }
}
