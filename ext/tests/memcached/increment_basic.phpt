--TEST--
increment and decrement: all forms
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
foreach (['memcached', 'memcache'] as $layout) {
    $cache = new Larder\Memcached($server->address, layout: $layout, prefix: "$layout:", timeout: 5000);
    $say = fn(
        mixed ...$results,
    ) => print(
        implode(
            ' ',
            array_map(
                fn($result) => $result instanceof Larder\Outcome ? $result->name : json_encode($result),
                $results,
            ),
        )
            . "\n"
    );
    $say($cache->increment('none'), $cache->decrement('none'), $cache->has('none'));
    $say(
        $cache->increment('a', 7, 100),
        $cache->increment('a', 7, 100),
        $cache->decrement('a', 200),
        $cache->increment('a', -5),
        $cache->decrement('a', -100),
        $cache->increment('a', 0),
    );
    $say(
        $cache->get('a'),
        $cache->decrement('below', 1, -5),
        $cache->decrement('below', 1, -5),
        $cache->increment('below', 10),
        $cache->get('below'),
    );
    foreach ([[
        PHP_INT_MAX - 1,
        'increment',
        1,
    ], [PHP_INT_MAX,
    'increment',
    1], [1,
    'increment',
    PHP_INT_MAX], [PHP_INT_MIN + 1,
    'decrement',
    1], [PHP_INT_MIN,
    'decrement',
    1],
        [-1, 'increment', PHP_INT_MIN],
        [0, 'increment', PHP_INT_MIN],
        [PHP_INT_MIN, 'increment', PHP_INT_MAX]] as [$start,
        $step,
        $by]) {
        $cache->set('edge', $start);
        $say($start, $step, $by, $cache->$step('edge', $by), $cache->get('edge'));
    }
    foreach (['5', '', 5.0, true, null, [5], 'five'] as $value) {
        $cache->set('other', $value);
        $say($cache->increment('other', 1, 1), $cache->decrement('other'), $cache->get('other') === $value);
    }
}
?>
--EXPECT--
NotFound NotFound false
100 107 -93 -98 2 2
2 -5 -6 4 4
9223372036854775806 "increment" 1 9223372036854775807 9223372036854775807
9223372036854775807 "increment" 1 Exists 9223372036854775807
1 "increment" 9223372036854775807 Exists 1
-9223372036854775807 "decrement" 1 -9223372036854775808 -9223372036854775808
-9223372036854775808 "decrement" 1 Exists -9223372036854775808
-1 "increment" -9223372036854775808 Exists -1
0 "increment" -9223372036854775808 -9223372036854775808 -9223372036854775808
-9223372036854775808 "increment" 9223372036854775807 -1 -1
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
NotFound NotFound false
100 107 -93 -98 2 2
2 -5 -6 4 4
9223372036854775806 "increment" 1 9223372036854775807 9223372036854775807
9223372036854775807 "increment" 1 Exists 9223372036854775807
1 "increment" 9223372036854775807 Exists 1
-9223372036854775807 "decrement" 1 -9223372036854775808 -9223372036854775808
-9223372036854775808 "decrement" 1 Exists -9223372036854775808
-1 "increment" -9223372036854775808 Exists -1
0 "increment" -9223372036854775808 -9223372036854775808 -9223372036854775808
-9223372036854775808 "increment" 9223372036854775807 -1 -1
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
Exists Exists true
