<?php

declare(strict_types=1);

/*
 * A server on a Unix socket that is no Redis: it answers every request on every connection with the same bytes, and
 * then does nothing, or closes, or sends 60 bytes and the end of a line, one after the other. Arguments: path, bytes in
 * hex, silent|close|drip.
 */
/** @var array{string, string, string, string} $argv */
[, $path, $bytes, $then] = $argv;
$server = stream_socket_server('unix://' . $path);
if ($server === false) {
    exit(1);
}
echo "ready\n";
$open = [];
for (;;) {
    $read = [$server, ...$open];
    $write = $except = null;
    stream_select($read, $write, $except, null);
    foreach ($read as $socket) {
        if ($socket === $server) {
            $new = stream_socket_accept($server);
            if ($new !== false) {
                $open[(int) $new] = $new;
            }
            continue;
        }
        $request = fread($socket, 65536);
        if ($request === '' || $request === false) {
            fclose($socket);
            unset($open[(int) $socket]);
            continue;
        }
        @fwrite($socket, (string) hex2bin($bytes));
        if ($then === 'close') {
            fclose($socket);
            unset($open[(int) $socket]);
        } elseif ($then === 'drip') {
            foreach (str_split(str_repeat('x', 60) . "\r\n") as $byte) {
                usleep(20_000);
                @fwrite($socket, $byte);
            }
        }
    }
}
