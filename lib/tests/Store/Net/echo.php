<?php

declare(strict_types=1);

// Says what it hears, and reads nothing while it speaks.
$server = stream_socket_server('tcp://127.0.0.1:0');
assert($server !== false);
echo stream_socket_get_name($server, false), "\n";
$client = stream_socket_accept($server, 60);
assert($client !== false);
$bytes = '';
while (true) {
    $bytes = (string) fread($client, 65536);
    if ($bytes === '' && feof($client)) {
        exit;
    }
    // The end of the call is a reply of its own.
    $bytes = strtr($bytes, 'mn', 'MN');
    while ($bytes !== '') {
        $bytes = substr($bytes, (int) fwrite($client, $bytes));
    }
}
