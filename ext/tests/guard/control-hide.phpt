--TEST--
The guard itself: a value looked at after its request ends the server when hidden, and does not when not
--EXTENSIONS--
larder
pcntl
--SKIPIF--
<?php if (!extension_loaded('FFI')) die('skip needs FFI'); ?>
--FILE--
<?php

require __DIR__ . '/server.inc';

foreach (['', 'read', 'hide'] as $protect) {
    $server = new GuardServer(
        'control-router.inc',
        guard_directory(),
        [
            "larder.protect={$protect}",
            'larder.share=1',
            'larder.size=4M',
            'ffi.enable=1',
            'display_errors=1',
            'html_errors=0',
        ],
    );
    echo "larder.protect={$protect}: ", $server->get('do=keep'), ', then ', $server->get('do=look')
        ?? $server->end(), "\n";
}
?>
--EXPECT--
larder.protect=: larder in its own request, then larder
larder.protect=read: larder in its own request, then larder
larder.protect=hide: larder in its own request, then the server died of signal 11
