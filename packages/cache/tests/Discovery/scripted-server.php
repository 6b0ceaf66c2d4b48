<?php

declare(strict_types=1);

// A server that follows a script. Argument: JSON {"line": [what, …]}, where what is text to send, a number of
// milliseconds to wait, or null to close. A line that is not named gets nothing; "line 2" is what it gets the second
// time, if that is named. Prints its port.

$script = json_decode($argv[1], true, flags: JSON_THROW_ON_ERROR);
$server = stream_socket_server('tcp://127.0.0.1:0');
assert(is_array($script) && $server !== false);
echo substr((string) strrchr((string) stream_socket_get_name($server, false), ':'), 1), "\n";
$times = [];
while (($client = @stream_socket_accept($server, 60)) !== false) {
    while (is_resource($client) && ($line = fgets($client)) !== false) {
        $line = rtrim($line, "\r\n");
        $times[$line] = ($times[$line] ?? 0) + 1;
        foreach ((array) ($script["$line $times[$line]"] ?? $script[$line] ?? []) as $step) {
            if (is_int($step)) {
                usleep($step * 1000);
            } elseif (is_string($step)) {
                @fwrite($client, $step);
            } else {
                fclose($client);
                break;
            }
        }
    }
}
