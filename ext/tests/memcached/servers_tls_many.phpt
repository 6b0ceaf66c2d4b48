--TEST--
tls:// servers: large batches come through whole, also where memcached before 1.6.39 would hang
--EXTENSIONS--
larder
openssl
--SKIPIF--
<?php require __DIR__ . '/servers_tls_skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/servers_tls.inc';
$certificates = new Certificates();
$certificate = $certificates->issue('IP:127.0.0.1');
$servers = [tls_server($certificate), tls_server($certificate)];

function run(string $what, array $servers, string $authority, int $count, int $size): void
{
    $addresses = array_map(static fn(MemcachedServer $server): string => "tls://{$server->address}", $servers);
    $cache = new Larder\Memcached($addresses, timeout: 20000, tlsCa: $authority);
    $values = [];
    for ($i = 0; $i < $count; $i++) {
        $values["$what-$i"] = str_pad("$i ", $size, md5("$what $i"));
    }
    $done = array_filter(
        $cache->setMultiple($values),
        static fn(Larder\Outcome $outcome): bool => $outcome === Larder\Outcome::Done,
    );
    $got = $cache->getMultiple(array_keys($values));
    ksort($got);
    ksort($values);
    echo "$what: ", count($done), ' of ', count($values), ' set, ', $got === $values ? 'all' : 'not all', ' got',
        kinds($cache), "\n";
}

foreach ([1, 2] as $count) {
    $some = array_slice($servers, 0, $count);
    run('50 x 400 B', $some, $certificates->authority, 50, 400);
    run('1,000 x 2,000 B', $some, $certificates->authority, 1000, 2000);
    run('100 x 16,384 B', $some, $certificates->authority, 100, 16384);
    run('5 x 1,000,000 B', $some, $certificates->authority, 5, 1000000);
}
?>
--EXPECT--
50 x 400 B: 50 of 50 set, all got
1,000 x 2,000 B: 1000 of 1000 set, all got
100 x 16,384 B: 100 of 100 set, all got
5 x 1,000,000 B: 5 of 5 set, all got
50 x 400 B: 50 of 50 set, all got
1,000 x 2,000 B: 1000 of 1000 set, all got
100 x 16,384 B: 100 of 100 set, all got
5 x 1,000,000 B: 5 of 5 set, all got
