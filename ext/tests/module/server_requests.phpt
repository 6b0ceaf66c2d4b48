--TEST--
The built-in server: pins and leases end with the request, however that ends
--EXTENSIONS--
larder
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server(__DIR__ . '/requests.inc');
foreach (['leave', 'exit', 'throw', 'large', 'unserialize', 'serialize', 'constant', 'session'] as $way) {
    $said = $server->get("?do=$way");
    echo $way, ': ', preg_match('/(exhausted|Uncaught \w+)/', $said, $match) ? $match[1] : trim($said), "\n";
    echo '  ', $server->get('?do=look'), "\n";
}
var_dump($server->isRunning());
?>
--EXPECT--
leave: held
  pinned: no, stored: Done, lease: free
exit: held
  pinned: no, stored: Done, lease: free
throw: Uncaught Exception
  pinned: no, stored: Done, lease: free
large: exhausted
  pinned: no, stored: Done, lease: free
unserialize: exhausted
  pinned: no, stored: Done, lease: free
serialize: exhausted
  pinned: no, stored: Done, lease: free
constant: held
  pinned: no, stored: Done, lease: free
session: held, written late
  pinned: no, stored: Done, lease: free
bool(true)
