--TEST--
The built-in server: shares, and values last from request to request
--EXTENSIONS--
larder
--INI--
larder.protect=
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server(__DIR__ . '/requests.inc');
echo $server->get('?do=store'), "\n", $server->get('?do=show'), "\n", $server->get('?do=show'), "\n";
?>
--EXPECT--
Done
share x 1000
share x 1000
