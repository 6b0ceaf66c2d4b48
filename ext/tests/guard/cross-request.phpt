--TEST--
A value that was fetched and stored again does not need the one that it came from
--EXTENSIONS--
larder
--FILE--
<?php

require __DIR__ . '/server.inc';

$requests = ['store', 'move', 'refill', 'read', 'refill', 'read', 'in one request', 'read'];
foreach (['', 'read', 'hide'] as $protect) {
    $server = new GuardServer(
        'cross-router.inc',
        guard_directory(),
        [
            "larder.protect={$protect}",
            'larder.share=1',
            'larder.size=4M',
            'larder.shards=1',
            'display_errors=1',
            'html_errors=0',
        ],
    );
    echo "larder.protect={$protect}\n";
    foreach ($requests as $do) {
        echo "  {$do}: ", $server->get('do=' . rawurlencode($do)) ?? $server->end(), "\n";
    }
}
?>
--EXPECT--
larder.protect=
  store: Done
  move: Done Done Done Done
  refill: 0 refused
  read: all as stored
  refill: 0 refused
  read: all as stored
  in one request: all as stored, and what was fetched too
  read: all as stored
larder.protect=read
  store: Done
  move: Done Done Done Done
  refill: 0 refused
  read: all as stored
  refill: 0 refused
  read: all as stored
  in one request: all as stored, and what was fetched too
  read: all as stored
larder.protect=hide
  store: Done
  move: nothing there
  refill: 0 refused
  read: nothing there
  refill: 0 refused
  read: nothing there
  in one request: all as stored, and what was fetched too
  read: nothing there
