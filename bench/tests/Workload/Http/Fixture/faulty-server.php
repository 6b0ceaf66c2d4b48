<?php

declare(strict_types=1);

// A fast machine leaks more in two seconds than the usual limit allows.
ini_set('memory_limit', '-1');

// An HTTP server of one process. It prints its port. From the 10th request on it has the fault that is its argument:
// php faulty-server.php FAULT

(static function (string $fault): void {
    $page = str_repeat('a right page ', 150);
    $other = str_repeat('another page ', 150);
    $reply = static fn(
        string $body,
        string $status = '200 OK',
        ?int $length = null,
        string $headers = "Cache-Status: larder; hit\r\n",
    ): string => "HTTP/1.1 {$status}\r\nContent-Length: "
        . ($length ?? strlen($body)) . "\r\n{$headers}\r\n{$body}";
    $server = stream_socket_server(
        'tcp://127.0.0.1:0',
        context: stream_context_create(['socket' => ['backlog' => 512]]),
    );
    if ($server === false) {
        exit(1);
    }
    stream_set_blocking($server, false);
    echo explode(':', (string) stream_socket_get_name($server, false))[1], "\n";
    $sockets = $pending = $leak = [];
    $requests = 0;
    $stalled = false;
    while (true) {
        $read = [$server, ...$sockets];
        $write = $except = null;
        if ((int) stream_select($read, $write, $except, 60) === 0) {
            exit(0);
        }
        foreach ($read as $socket) {
            if ($socket === $server) {
                $new = @stream_socket_accept($server, 0);
                if ($new !== false) {
                    stream_set_blocking($new, false);
                    $sockets[(int) $new] = $new;
                    $pending[(int) $new] = '';
                }
                continue;
            }
            $id = (int) $socket;
            $bytes = (string) @fread($socket, 65_536);
            $pending[$id] = ($pending[$id] ?? '') . $bytes;
            if ($bytes === '' || !str_contains($pending[$id], "\r\n\r\n")) {
                if (feof($socket)) {
                    unset($sockets[$id]);
                    fclose($socket);
                }
                continue;
            }
            $closes = stripos($pending[$id], 'connection: close') !== false || str_contains($pending[$id], ' HTTP/1.0');
            $pending[$id] = '';
            $sick = ++$requests > 10;
            $now = $sick && $requests % 20 === 0;
            if ($fault === 'stall' && $requests > 40 && !$stalled) {
                $stalled = true;
                usleep(500_000);
            } elseif ($fault === 'slow') {
                usleep(1_000);
            } elseif ($fault === 'leak' && $requests % 10 === 0) {
                $leak[] = random_bytes(20_000);
            }
            $answer = match (true) {
                $fault === 'other' && $now => $reply($other),
                $fault === 'short' && $now => $reply(substr($page, 0, -1)),
                $fault === 'miss' && $now => $reply($page, headers: "Cache-Status: larder; fwd=miss\r\n"),
                $fault === 'truncated' && $now => $reply(substr($page, 0, 1000), length: strlen($page)),
                $fault === '502' && $now, $fault === 'all-502' && $sick => $reply('Bad Gateway', '502 Bad Gateway'),
                $fault === 'silent' && $sick => '',
                $fault === 'changing' => $reply($page . $requests),
                $fault === 'garbage' && $now => "SSH-2.0\r\n\r\n",
                default => $reply($page),
            };
            if ($closes) {
                $answer = str_replace("Content-Length", "Connection: close\r\nContent-Length", $answer);
            }
            @fwrite($socket, $answer);
            if (($fault === 'truncated' && $now) || $fault === 'closing' || ($closes && $answer !== '')) {
                unset($sockets[$id]);
                fclose($socket);
            }
        }
    }
})($argv[1] ?? '');
