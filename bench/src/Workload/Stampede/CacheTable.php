<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Memory\GetLoop;
use Larder\Bench\Workload\Memory\MissLoop;
use Larder\Bench\Workload\Published\DatabaseHits;
use Larder\Bench\Workload\Tags\Churn;
use Larder\Bench\Workload\Tags\Growth;
use Larder\Bench\Workload\Test;

/** The measurements behind what is said of the cache, B3 and B12; see docs/reference/bench.md. */
final readonly class CacheTable
{
    /** @return list<Test> */
    public static function tests(Catalogue $catalogue): array
    {
        $one = ['workers' => 1];
        $hit = new InProcess(new GetLoop());
        $miss = new InProcess(new MissLoop());
        $misses = [['value' => 'row', ...$one], ['value' => 'row', 'hits' => 3, ...$one]];
        $memory = [
            'noop', 'array', 'shared-memory', 'cache-memory', 'cache-memory-reads', 'cache-memory-reads-10', 'apcu',
            'symfony-apcu', 'symfony-phpfiles',
        ];
        $memcached = [
            'larder', 'larder#2', 'cache-memcached', 'cache-memcached-client', 'cache-memcached-reads',
            'cache-tiered', 'cache-tiered-reads', 'memcached', 'memcached-tuned', 'symfony-memcached',
        ];
        $redis = ['cache-redis', 'cache-redis-reads', 'symfony-redis'];
        $values = Test::each('value', ['row', 'rows'], $one);
        $modes = [];
        foreach (['memory', 'memcached', 'redis'] as $store) {
            array_push($modes, 'none-' . $store, 'soft-' . $store, 'lock-' . $store);
            array_push($modes, "cache-{$store}-late", 'cache-' . $store);
        }
        array_push($modes, 'cache-tiered', 'symfony-apcu', 'symfony-phpfiles', 'symfony-memcached', 'symfony-redis');
        $faulty = [
            'none-memcached', 'soft-memcached', 'lock-memcached', 'cache-memory', 'cache-memcached', 'cache-redis',
            'cache-tiered', 'symfony-apcu', 'symfony-redis',
        ];
        $hits = [
            'Wrapper' => $catalogue->get('soft-memcached'),
            'Cache' => $catalogue->get('cache-memcached-late'),
            'Memcached' => $catalogue->get('none-memcached'),
        ];
        $http = [
            'none-memcached', 'soft-memcached', 'lock-memcached', 'cache-memory', 'cache-memcached', 'cache-redis',
            'symfony-apcu', 'symfony-memcached', 'symfony-redis',
        ];
        $tagged = [
            'cache-memory-copy', 'cache-memcached', 'cache-redis', 'cache-tiered', 'symfony-tags-apcu',
            'symfony-tags', 'symfony-tag-sets',
        ];
        $short = ['life' => 2, 'window' => 1, 'compute' => 0.05, 'workers' => 40, 'seconds' => 4];
        $long = ['life' => 10, 'window' => 5, 'compute' => 0.25, 'workers' => 200, 'seconds' => 32];
        $middle = ['life' => 4, 'window' => 2, 'compute' => 0.1, 'workers' => 200, 'seconds' => 13];
        $faults = array_values(array_diff(Scenario::FAULTS, [Scenario::NO_FAULT]));

        return [
            new Test(
                'cache_hit',
                title: 'Cache: hit',
                work: 'a get of the same key that would make the value if it were not there',
                unit: 'gets',
                workload: $hit,
                subjects: $memory,
                quick: [['value' => 'row', ...$one]],
                full: $values,
                quickSubjects: ['cache-memory', 'symfony-apcu'],
            ),
            new Test(
                'cache_hit_memcached',
                title: 'Cache: hit on memcached',
                work: 'the same',
                unit: 'gets',
                workload: $hit,
                subjects: $memcached,
                full: $values,
            ),
            new Test(
                'cache_hit_redis',
                title: 'Cache: hit on Redis',
                work: 'the same',
                unit: 'gets',
                workload: $hit,
                subjects: $redis,
                full: $values,
            ),
            new Test(
                'cache_miss',
                title: 'Cache: miss',
                work: 'a value that was never asked for is made, in no time, and stored',
                unit: 'misses',
                workload: $miss,
                subjects: ['cache-memory', 'cache-memory-reads', 'symfony-apcu'],
                full: $misses,
            ),
            new Test(
                'cache_miss_memcached',
                title: 'Cache: miss on memcached',
                work: 'the same',
                unit: 'misses',
                workload: $miss,
                subjects: [
                    'cache-memcached', 'cache-memcached-client', 'cache-memcached-reads', 'symfony-memcached',
                ],
                full: $misses,
            ),
            new Test(
                'cache_miss_redis',
                title: 'Cache: miss on Redis',
                work: 'the same',
                unit: 'misses',
                workload: $miss,
                subjects: ['cache-redis', 'cache-redis-reads', 'symfony-redis'],
                full: $misses,
            ),
            new Test(
                'stampede',
                title: 'B3 stampede',
                work: 'a read of one key by one of many visitors, who come at a given pace',
                unit: 'reads',
                workload: new Stampede(),
                subjects: $modes,
                quick: [$short],
                full: [$long],
                quickSubjects: ['none-memcached', 'cache-memory', 'cache-memcached'],
                blocks: 1,
                published: [new DatabaseHits($hits)],
            ),
            new Test(
                'stampede_faults',
                title: 'B3 stampede with a fault',
                work: 'a read of one key by one of many visitors, who come at a given pace',
                unit: 'reads',
                workload: new Stampede(),
                subjects: $faulty,
                full: Test::each('fault', $faults, $middle),
                blocks: 1,
            ),
            new Test(
                'stampede_http',
                title: 'B3 stampede over nginx and php-fpm',
                work: 'a request that connects and reads the one key',
                unit: 'requests',
                workload: new StampedeOverFpm(),
                subjects: $http,
                full: [[...$middle, 'workers' => 100, 'connections' => 200]],
                blocks: 1,
            ),
            new Test(
                'tag_churn',
                title: 'B12 tag churn',
                work: 'a read of a tagged record, a write of one or a change of what a tag stands for',
                unit: 'operations',
                workload: new Churn(),
                subjects: $tagged,
                quick: [['records' => 1000, 'tags' => 200, 'seconds' => 1, 'workers' => 4]],
                full: [['seconds' => 5, 'workers' => 4]],
                quickSubjects: ['cache-memory-copy', 'symfony-tag-sets'],
                blocks: 1,
            ),
            new Test(
                'tag_memory',
                title: 'B12 memory of changes',
                work: 'a value that is made, and the change that ends it, by a name that was never used before',
                unit: 'changes',
                workload: new Growth(),
                subjects: $tagged,
                full: [['changes' => 20_000]],
                blocks: 1,
            ),
            new Test(
                'tag_memory_million',
                title: 'B12 memory of a million changes',
                work: 'the same',
                unit: 'changes',
                workload: new Growth(),
                subjects: $tagged,
                full: [['changes' => 1_000_000, 'seconds' => 1200]],
                blocks: 1,
            ),
        ];
    }

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
