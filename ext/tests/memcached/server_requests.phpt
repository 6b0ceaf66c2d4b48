--TEST--
Requests that end in the middle of a call: the next one of that process gets its own values
--EXTENSIONS--
larder
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
require __DIR__ . '/server.inc';

require __DIR__ . '/../module/server.inc';

$memcached = MemcachedServer::unix('-m', '128');
/* Some builds of PHP end a process whose one call takes too much memory. This keeps PHP's own serializer from it. */
$settings = ['memory_hard_limit_percent' => '2000'];
if (extension_loaded('Zend OPcache')) {
    /* It takes the little memory that is left to a request. */
    $settings['opcache.jit'] = 'disable';
}
$server = new Server(__DIR__ . '/requests.inc', $settings);
$at = 'at=' . urlencode($memcached->address);
echo $server->get("?do=fill&$at"), "\n", $server->get("?do=check&$at"), "\n";
foreach ([
    'do=many', 'do=pipeline', 'do=one', 'do=encode', 'do=decode&what=memory', 'do=decode&what=exit',
    'do=decode&what=throw',
] as $way) {
    $said = $server->get("?$way&$at");
    echo $way, ': ', preg_match('/(exhausted|Uncaught \w+)/', $said, $match) ? $match[1] : trim($said), "\n";
    echo '  ', $server->get("?do=check&$at"), "\n";
}
var_dump($server->isRunning(), $memcached->stat('curr_connections') <= 3);
?>
--EXPECTF--
filled
wrong: 0, connects: 1
do=many: some, OverLimit
  wrong: 0, connects: 1
do=pipeline: some, OverLimit
  wrong: 0, connects: 1
do=one: some, OverLimit
  wrong: 0, connects: 1
do=encode: exhausted
  wrong: 0, connects: %d
do=decode&what=memory: exhausted
  wrong: 0, connects: %d
do=decode&what=exit: 
  wrong: 0, connects: %d
do=decode&what=throw: 
  wrong: 0, connects: %d
bool(true)
bool(true)
