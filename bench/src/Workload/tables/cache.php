<?php

declare(strict_types=1);

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Workload\Memory\GetLoop;
use Larder\Bench\Workload\Memory\MissLoop;
use Larder\Bench\Workload\Published\DatabaseHits;
use Larder\Bench\Workload\Stampede\Scenario;
use Larder\Bench\Workload\Stampede\Stampede;
use Larder\Bench\Workload\Stampede\StampedeOverFpm;
use Larder\Bench\Workload\Tags\Churn;
use Larder\Bench\Workload\Tags\Growth;

// The measurements behind what is said of the cache, B3 and B12; see docs/reference/bench.md.

$values = ['workers' => 1, 'value' => ['row', 'rows']];
$misses = [['value' => 'row', 'workers' => 1], ['value' => 'row', 'hits' => 3, 'workers' => 1]];
$sealed = 'cache-redis cache-redis-sealed cache-redis-sealed-aes cache-memcached cache-memcached-sealed '
    . 'cache-memcached-sealed-aes';
$tagged = 'cache-memory-copy cache-memcached cache-redis cache-tiered symfony-tags-apcu symfony-tags symfony-tag-sets';
$hits = ['Wrapper' => 'soft-memcached', 'Cache' => 'cache-memcached-late', 'Memcached' => 'none-memcached'];
$short = ['life' => 2, 'window' => 1, 'compute' => 0.05, 'workers' => 40, 'seconds' => 4];
$long = ['life' => 10, 'window' => 5, 'compute' => 0.25, 'workers' => 200, 'seconds' => 32];
$middle = ['life' => 4, 'window' => 2, 'compute' => 0.1, 'workers' => 200, 'seconds' => 13];
$visit = 'a read of one key by one of many visitors, who come at a given pace';

return [
    'cache_hit' => [
        'Cache: hit', 'a get of the same key that would make the value if it were not there', 'gets', new GetLoop(),
        'noop array shared-memory cache-memory cache-memory-reads cache-memory-reads-10 apcu symfony-apcu '
            . 'symfony-phpfiles',
        [$values],
        'quick' => [['value' => 'row', 'workers' => 1]],
        'quickSubjects' => 'cache-memory symfony-apcu',
    ],
    'cache_hit_memcached' => [
        'Cache: hit on memcached', 'the same', 'gets', new GetLoop(),
        'larder larder#2 cache-memcached cache-memcached-client cache-memcached-reads cache-tiered cache-tiered-reads '
            . 'memcached memcached-tuned symfony-memcached',
        [$values],
    ],
    'cache_hit_redis' => [
        'Cache: hit on Redis', 'the same', 'gets', new GetLoop(), 'cache-redis cache-redis-reads symfony-redis',
        [$values],
    ],
    'cache_miss' => [
        'Cache: miss', 'a value that was never asked for is made, in no time, and stored', 'misses', new MissLoop(),
        'cache-memory cache-memory-reads symfony-apcu', $misses,
    ],
    'cache_miss_memcached' => [
        'Cache: miss on memcached', 'the same', 'misses', new MissLoop(),
        'cache-memcached cache-memcached-client cache-memcached-reads symfony-memcached', $misses,
    ],
    'cache_miss_redis' => [
        'Cache: miss on Redis', 'the same', 'misses', new MissLoop(), 'cache-redis cache-redis-reads symfony-redis',
        $misses,
    ],
    'cache_hit_sealed' => [
        'Cache: hit on sealed values', 'the same', 'gets', new GetLoop(), $sealed,
        [['value' => 'page', 'workers' => 1]],
    ],
    'cache_miss_sealed' => [
        'Cache: miss on sealed values', 'a value that was never asked for is made, in no time, and stored', 'misses',
        new MissLoop(), $sealed, [['value' => 'page', 'workers' => 1]],
    ],
    'stampede' => [
        'B3 stampede', $visit, 'reads', new Stampede(),
        'none-memory soft-memory lock-memory cache-memory-late cache-memory none-memcached soft-memcached '
            . 'lock-memcached cache-memcached-late cache-memcached none-redis soft-redis lock-redis cache-redis-late '
            . 'cache-redis cache-tiered symfony-apcu symfony-phpfiles symfony-memcached symfony-redis',
        [$long],
        'quick' => [$short], 'quickSubjects' => 'none-memcached cache-memory cache-memcached', 'blocks' => 1,
        'published' => static fn(Catalogue $catalogue): array => [
            new DatabaseHits(array_map($catalogue->get(...), $hits)),
        ],
    ],
    'stampede_faults' => [
        'B3 stampede with a fault', $visit, 'reads', new Stampede(),
        'none-memcached soft-memcached lock-memcached cache-memory cache-memcached cache-redis cache-tiered '
            . 'symfony-apcu symfony-redis',
        [[...$middle, 'fault' => array_diff(Scenario::FAULTS, [Scenario::NO_FAULT])]],
        'blocks' => 1,
    ],
    'stampede_http' => [
        'B3 stampede over nginx and php-fpm', 'a request that connects and reads the one key', 'requests',
        new StampedeOverFpm(),
        'none-memcached soft-memcached lock-memcached cache-memory cache-memcached cache-redis symfony-apcu '
            . 'symfony-memcached symfony-redis',
        [[...$middle, 'workers' => 100, 'connections' => 200]],
        'blocks' => 1,
    ],
    'tag_churn' => [
        'B12 tag churn', 'a read of a tagged record, a write of one or a change of what a tag stands for',
        'operations', new Churn(), $tagged, [['seconds' => 5, 'workers' => 4]],
        'quick' => [['records' => 1000, 'tags' => 200, 'seconds' => 1, 'workers' => 4]],
        'quickSubjects' => 'cache-memory-copy symfony-tag-sets', 'blocks' => 1,
    ],
    'tag_memory' => [
        'B12 memory of changes',
        'a value that is made, and the change that ends it, by a name that was never used before', 'changes',
        new Growth(), $tagged, [['changes' => 20_000]],
        'blocks' => 1,
    ],
    'tag_memory_million' => [
        'B12 memory of a million changes', 'the same', 'changes', new Growth(), $tagged,
        [['changes' => 1_000_000, 'seconds' => 1200]],
        'blocks' => 1,
    ],
];
