--TEST--
append and prepend: to every string in whatever form it is stored; to no other value, which stays as it is
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/../codec/raw.inc';

$server = MemcachedServer::unix();
$raw = new Raw($server);
$long = str_repeat('long, ', 500);
/* The last ones are what the server takes for numbers, and what is compressed. */
$strings = ['', 'text', "\0\r\nEND\r\n", 'x7', '7', '007', ' ', '-1', str_repeat('9', 300), $long, random_bytes(3000)];
$others = [0, 12, -5, PHP_INT_MIN, 1.5, 7.0, NAN, true, false, null, [], ['12']];
array_push($others, new stdClass(), array_fill(0, 900, 'x'));
$ways = [
    'append' => [fn($cache) => $cache->append('key', ',13'), fn(string $old) => "$old,13"],
    'prepend' => [fn($cache) => $cache->prepend('key', '13,'), fn(string $old) => "13,$old"],
    'append a digit' => [fn($cache) => $cache->append('key', '1'), fn(string $old) => "{$old}1"],
    'appendMultiple' => [
        fn($cache) => $cache->appendMultiple(['none' => 'x', 'key' => 'y'])['key'],
        fn(string $old) => "{$old}y",
    ],
    'pipeline' => [
        fn($cache) => $cache->pipeline()->append('key', 'b')->prepend('key', 'a')->append('key', 'c')->run()[2],
        fn(string $old) => "a{$old}bc",
    ],
];
foreach ([
    ['memcached', 'php', 'none', true],
    ['memcached', 'php', 'zlib', false],
    ['memcached', 'igbinary', 'none', false],
    ['memcached', 'json', 'lz4', true],
    ['memcached', 'none', 'zlib', true],
    ['memcache', 'php', 'none', false],
    ['memcache', 'php', 'zlib', true],
] as [$layout, $serializer, $compressor, $shared]) {
    $cache = new Larder\Memcached(
        $server->address,
        timeout: 5000,
        layout: $layout,
        serializer: $serializer,
        compressor: $compressor,
        compressionThreshold: 100,
        shared: $shared,
    );
    $wrong = $done = $refused = 0;
    foreach ($ways as $way => [$call, $sum]) {
        foreach ($strings as $number => $string) {
            $cache->set('key', $string, 1000);
            $outcome = $call($cache);
            $now = $cache->get('key');
            $ttl = preg_match('/ t(9\d\d|1000)\b/', $server->ask('mg key t'));
            $is_right = $outcome === Larder\Outcome::Done && $now === $sum($string) && $ttl === 1;
            if (!$is_right || $cache->failures() !== []) {
                $wrong++;
                echo "$way, string $number: {$outcome->name}, ", substr((string) json_encode($now), 0, 60), ", $ttl\n";
            }
            /* It is a string, so it does not count, whatever was added. */
            $wrong += $serializer === 'none' || $cache->increment('key') === Larder\Outcome::Exists ? 0 : 1;
            $done++;
        }
        foreach ($others as $number => $value) {
            if ($serializer === 'none' && !is_scalar($value) || $serializer === 'json' && is_object($value)) {
                continue;
            }
            $cache->set('key', $value, 1000);
            $before = $raw->get('key');
            $outcome = $call($cache);
            if ($outcome !== Larder\Outcome::Exists || $raw->get('key') !== $before || $cache->failures() !== []) {
                $wrong++;
                echo "$way, value $number: {$outcome->name}\n";
            }
            $refused++;
        }
    }
    echo "$layout $serializer $compressor: $done done, $refused refused, $wrong wrong\n";
}
/* What others wrote: a user's flags stay, and what is damaged is not made worse. */
$cache = new Larder\Memcached($server->address, timeout: 5000);
foreach ([
    [0x00000, 'theirs'],
    [0x70000, 'theirs'],
    [0x70004, 's:6:"theirs";'],
    [0x4, 's:9:"cut'],
    [0x9999, 'what'],
] as [$flags, $bytes]) {
    $raw->set('key', $bytes, $flags);
    echo $cache->append('key', '!')->name, ' ', vsprintf('%2$05x %1$s', $raw->get('key')), "\n";
}
/* Of three that add at once none loses anything, while the form changes under them. */
$others = [];
for ($child = 0; $child < 3; $child++) {
    $others[] = $pid = pcntl_fork();
    if ($pid === 0) {
        for ($number = 0; $number < 100; $number++) {
            while ($cache->append('list', "$child,") !== Larder\Outcome::Done) {
                usleep(1000);
            }
        }
        posix_kill((int) getmypid(), SIGKILL);
    }
    if ($child === 0) {
        $cache->add('list', '7');
    }
}
foreach ($others as $pid) {
    pcntl_waitpid($pid, $status);
}
$parts = array_count_values(str_split(substr((string) $cache->get('list'), 1), 2));
ksort($parts);
echo json_encode($parts), "\n";
?>
--EXPECT--
memcached php none: 55 done, 70 refused, 0 wrong
memcached php zlib: 55 done, 70 refused, 0 wrong
memcached igbinary none: 55 done, 70 refused, 0 wrong
memcached json lz4: 55 done, 65 refused, 0 wrong
memcached none zlib: 55 done, 45 refused, 0 wrong
memcache php none: 55 done, 70 refused, 0 wrong
memcache php zlib: 55 done, 70 refused, 0 wrong
Done 00000 theirs!
Done 70000 theirs!
Done 70000 theirs!
Exists 00004 s:9:"cut
Exists 09999 what
{"0,":100,"1,":100,"2,":100}
