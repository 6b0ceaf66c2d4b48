--TEST--
servers with -Y: attempts with a wrong password become rarer, and the right one is found to be right
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/servers_auth.inc';
$file = tempnam(sys_get_temp_dir(), 'larder-');
file_put_contents($file, "site:changed\n");
$server = MemcachedServer::tcp('-Y', $file);
$cache = new Larder\Memcached($server->address, timeout: 5000, retry: 50, user: 'site', password: 'pass:word');
$kinds = [];
$calls = 0;
for ($begin = hrtime(true); hrtime(true) - $begin < 1_000_000_000; $calls++) {
    $cache->get('key');
    $kinds[kinds($cache)] = true;
    usleep(1000);
}
/* After 50, 100, 200, 400, 800 ms. */
$attempts = $cache->info()[$server->address]['connects'];
var_dump($calls > 100, $attempts >= 2 && $attempts <= 6 ? 'few' : $attempts, array_keys($kinds));

file_put_contents($file, "site:pass:word\n");
$server->stop();
$server->start();
unlink($file);
for ($begin = hrtime(true); hrtime(true) - $begin < 3_000_000_000 && $cache->set(
    'key',
    'value',
) !== Larder\Outcome::Done;) {
    usleep(10000);
}
var_dump($cache->get('key'), $cache->failures());
?>
--EXPECT--
bool(true)
string(3) "few"
array(2) {
  [0]=>
  string(6) "Denied"
  [1]=>
  string(4) "Down"
}
string(5) "value"
array(0) {
}
