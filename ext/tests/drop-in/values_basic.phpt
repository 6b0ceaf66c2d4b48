--TEST--
memcached: each value has the bytes and flags that php-memcached gives it, and each reads what the other has written
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

const VALUES = <<<'PHP'
    mt_srand(7);
    $random = '';
    while (strlen($random) < 9000) {
        $random .= chr(mt_rand(97, 97 + mt_rand(1, 25)));
    }
    $values = ['int' => 7, 'negative' => -42, 'largest' => PHP_INT_MAX, 'smallest' => PHP_INT_MIN, 'zero' => 0,
        'digits' => '7', 'padded' => '007', 'empty' => '', 'true' => true, 'false' => false, 'null' => null,
        'text' => 'text', 'bytes' => "\0\r\nEND\r\n\xff", 'float' => 7.0, 'tenth' => .1, 'third' => 1 / 3,
        'large' => 1e25, 'small' => 1e-7, 'smaller' => 5e-324, 'minus zero' => -0.0, 'infinite' => INF,
        'below' => -INF, 'thousand' => 1000.0, 'exact' => 123456.789, 'list' => [1, 2.5, 'x', [true, null]],
        'map' => ['a' => 1, 7 => 'seven', 'nested' => ['b' => ['c' => 1]]], 'object' => (object) ['a' => (object) []],
        'long' => str_repeat('news and ', 900), 'longer' => str_repeat($random, 20), 'random' => $random,
        'at the threshold' => str_repeat('x', 2000), 'below it' => str_repeat('x', 1999),
        'rows' => array_fill(0, 300, ['id' => 1, 'title' => 'A title', 'price' => 1.5]), 'array' => []];
    $sets = [];
    foreach ([1, 2, 3, 4, 5] as $serializer) {
        foreach ([0, 1, 2] as $compression) {
            foreach ([false, true] as $binary) {
                $sets["$serializer$compression" . (int) $binary] = [Memcached::OPT_SERIALIZER => $serializer,
                    Memcached::OPT_COMPRESSION => $compression > 0, Memcached::OPT_BINARY_PROTOCOL => $binary]
                    + ($compression > 0 ? [Memcached::OPT_COMPRESSION_TYPE => $compression] : [])
                    + (defined('Memcached::LARDER') ? [Memcached::OPT_COMPRESSION_LEVEL => $level] : []);
            }
        }
    }
    $open = static function (array $options) use ($path): Memcached {
        $memcached = new Memcached();
        $memcached->addServer($path, 0);
        $memcached->setOptions($options);
        return $memcached;
    };
    PHP;
const WRITE = VALUES . <<<'PHP'
    foreach ($sets as $name => $options) {
        $memcached = $open($options);
        foreach ($values as $key => $value) {
            $memcached->set("$name." . str_replace(' ', '-', $key), $value) || print("$name $key not stored\n");
        }
    }
    PHP;
const READ = VALUES . <<<'PHP'
    $bad = 0;
    foreach ($sets as $name => $options) {
        $memcached = $open($options);
        foreach ($values as $key => $value) {
            $found = $memcached->get("$name." . str_replace(' ', '-', $key));
            $want = $options[Memcached::OPT_SERIALIZER] === 4 && is_object($value) ? ['a' => []]
                : ($options[Memcached::OPT_SERIALIZER] === 3 && is_array($value)
                    ? json_decode(json_encode($value)) : $value);
            $bad += serialize($found) === serialize($want) ? 0 : 1;
        }
    }
    echo "$bad of ", count($sets) * count($values), " come back as something else\n";
    PHP;

/* 3.2.0 takes the default level of zlib itself, and 3.3.0 what its setting says. */
$isOld = version_compare(run_with(PEER, 'echo phpversion("memcached");'), '3.3.0') < 0;
$level = '$level = ' . ($isOld ? 6 : 3) . ';';
same($level . WRITE);
foreach ([[PEER, ours()], [ours(), PEER]] as [$writer, $reader]) {
    $server = MemcachedServer::unix();
    $path = '$path = ' . var_export(substr($server->address, 5), true) . ";$level";
    echo run_with($writer, $path . WRITE), run_with($reader, $path . READ);
    unset($server);
}
?>
--EXPECT--
the same, and 1020 items
0 of 1020 come back as something else
0 of 1020 come back as something else
