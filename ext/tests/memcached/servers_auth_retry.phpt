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
$kinds = ['Denied' => 0, 'Down' => 0];
/* How long they become is in core/test_pool_pause.c, by a clock that is held. */
while ($kinds['Denied'] < 4) {
    $cache->get('key');
    $kinds[kinds($cache)]++;
    usleep(1000);
}
$info = $cache->info()[$server->address];
var_dump(
    $info['connects'] === 4 && $info['connectFailures'] === 4,
    $info['refusedDown'] === $kinds['Down'],
    $kinds['Down'] > 0,
    array_keys($kinds),
);

file_put_contents($file, "site:pass:word\n");
$server->stop();
$server->start();
unlink($file);
while ($cache->set('key', 'value') !== Larder\Outcome::Done) {
    usleep(10000);
}
var_dump($cache->get('key'), $cache->failures());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
array(2) {
  [0]=>
  string(6) "Denied"
  [1]=>
  string(4) "Down"
}
string(5) "value"
array(0) {
}
