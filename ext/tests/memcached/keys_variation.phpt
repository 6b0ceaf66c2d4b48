--TEST--
Keys of any bytes: in base64 where they are more than a word, and nothing is injected
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
foreach (['', 'p:', "p\r\n:"] as $prefix) {
    $cache = new Larder\Memcached($server->address, prefix: $prefix, timeout: 5000);
    $every_byte = implode('', array_map(chr(...), range(0, 160)));
    $keys = [
        '7', '07', ' 7', '7 ', "7\n", "7\0", "7\0a", '+7', 'k', 'K', "x\r\nflush_all\r\n", "x 0 0 1\r\ny\r\n",
        $every_byte, 'Grüße', "\xff\xfe", base64_encode('a b'), 'a b',
    ];
    foreach ($keys as $number => $key) {
        if ($cache->add($key, $number) !== Larder\Outcome::Done) {
            echo 'not added: ', bin2hex($key), "\n";
        }
    }
    var_dump(
        $cache->getMultiple($keys) === array_flip($keys),
        array_map($cache->get(...), $keys) === array_keys($keys),
    );
    echo implode(
        ' ',
        array_unique(array_column($cache->deleteMultiple($keys), 'name')),
    ), ' ', json_encode($cache->getMultiple($keys)), "\n";
}
$cache = new Larder\Memcached($server->address, prefix: 'p:', timeout: 5000);
$cache->set('plain', 'v');
$cache->set("not\r\nplain", 'v');
/* What other clients would see. */
echo $server->ask('mg p:plain k v'), $server->ask('mg ' . base64_encode("p:not\r\nplain") . ' b v');
?>
--EXPECT--
bool(true)
bool(true)
Done []
bool(true)
bool(true)
Done []
bool(true)
bool(true)
Done []
VA 1 kp:plain
v
VA 1
v
