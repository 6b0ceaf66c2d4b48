--TEST--
memcache: each value has the bytes and flags that php-memcache gives it, and each reads what the other has written
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

const VALUES = <<<'PHP'
    error_reporting(E_ALL & ~E_DEPRECATED);
    mt_srand(7);
    $random = '';
    while (strlen($random) < 9000) {
        $random .= chr(mt_rand(97, 97 + mt_rand(1, 25)));
    }
    $noise = '';
    while (strlen($noise) < 30000) {
        $noise .= chr(mt_rand(0, 255));
    }
    $values = ['int' => 7, 'negative' => -42, 'largest' => PHP_INT_MAX, 'smallest' => PHP_INT_MIN, 'zero' => 0,
        'digits' => '7', 'padded' => '007', 'empty' => '', 'true' => true, 'false' => false,
        'text' => 'text', 'bytes' => "\0\r\nEND\r\n\xff", 'float' => 7.0, 'tenth' => .1, 'third' => 1 / 3,
        'large' => 1e25, 'small' => 1e-7, 'thousand' => 1000.0, 'exact' => 123456.789, 'minus zero' => -0.0,
        'infinite' => INF, 'below' => -INF, 'list' => [1, 2.5, 'x', [true, null]],
        'map' => ['a' => 1, 7 => 'seven', 'nested' => ['b' => ['c' => 1]]], 'object' => (object) ['a' => (object) []],
        'long' => str_repeat('news and ', 900), 'longer' => str_repeat($random, 20), 'random' => $random,
        'noise' => $noise, 'at the threshold' => str_repeat('x', 20000), 'below it' => str_repeat('x', 19999),
        'rows' => array_fill(0, 300, ['id' => 1, 'title' => 'A title', 'price' => 1.5]), 'array' => []];
    $sets = [];
    foreach ([null, [0, 0.2], [500, 0.2], [500, 0.0], [500, 0.9], [1, 0.5]] as $number => $threshold) {
        foreach ([0, MEMCACHE_COMPRESSED, MEMCACHE_USER1, MEMCACHE_COMPRESSED | MEMCACHE_USER4] as $flags) {
            $sets["$number.$flags"] = [$threshold, $flags];
        }
    }
    $open = static function (?array $threshold) use ($path): Memcache {
        $memcache = new Memcache();
        $memcache->addServer("unix://$path", 0);
        if ($threshold !== null) {
            $memcache->setCompressThreshold(...$threshold);
        }
        return $memcache;
    };
    PHP;
const WRITE = VALUES . <<<'PHP'
    foreach ($sets as $name => [$threshold, $flags]) {
        $memcache = $open($threshold);
        foreach ($values as $key => $value) {
            $memcache->set("$name." . str_replace(' ', '-', $key), $value, $flags) || print("$name $key not stored\n");
        }
    }
    PHP;
const READ = VALUES . <<<'PHP'
    $bad = 0;
    foreach ($sets as $name => [$threshold, $wanted]) {
        $memcache = $open($threshold);
        foreach ($values as $key => $value) {
            $found = $memcache->get("$name." . str_replace(' ', '-', $key), $flags);
            $want = is_float($value) && is_finite($value) ? (float) sprintf('%.14G', $value) : $value;
            $is_same = is_float($value) && is_float($found) ? (string) $found === (string) $want
                : serialize($found) === serialize($want);
            $is_same && ($flags & ~0xffff) === ($wanted & ~0xffff) || $bad++ < 3 && print("$name $key\n");
        }
    }
    echo "$bad of ", count($sets) * count($values), " come back as something else\n";
    PHP;

same_memcache(WRITE);
foreach ([[MEMCACHE_PEER, our_memcache()], [our_memcache(), MEMCACHE_PEER]] as [$writer, $reader]) {
    $server = MemcachedServer::unix();
    $path = '$path = ' . var_export(substr($server->address, 5), true) . ';';
    echo run_with($writer, $path . WRITE), run_with($reader, $path . READ);
    unset($server);
}
?>
--EXPECT--
the same, and 792 items
0 of 792 come back as something else
0 of 792 come back as something else
