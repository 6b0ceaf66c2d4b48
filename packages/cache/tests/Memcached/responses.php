<?php

declare(strict_types=1);

// Makes one call for each row of the first argument, JSON [[what the server says, the call], …], on a server that says
// it, and prints JSON: for each the result and the kind of the failure, if there is one.

use Larder\Answer;
use Larder\Failure;
use Larder\Memcached;
use Larder\Outcome;

$rows = json_decode($argv[1], true, flags: JSON_THROW_ON_ERROR);
assert(is_array($rows));
$calls = [
    'get' => static fn(Memcached $client): Answer => $client->read('k'),
    'set' => static fn(Memcached $client): Outcome => $client->set('k', 'v'),
    'add' => static fn(Memcached $client): Outcome => $client->add('k', 'v'),
    'replace' => static fn(Memcached $client): Outcome => $client->replace('k', 'v'),
    'cas' => static fn(Memcached $client): Outcome => $client->cas('k', 'v', 7),
    'delete' => static fn(Memcached $client): Outcome => $client->delete('k'),
    'touch' => static fn(Memcached $client): Outcome => $client->touch('k', 9.0),
    'increment' => static fn(Memcached $client): int|Outcome => $client->increment('k'),
];
$found = [];
foreach ($rows as $row) {
    assert(is_array($row) && is_string($row[0]) && is_string($row[1]));
    [$says, $call] = $row;
    $server = stream_socket_server('tcp://127.0.0.1:0');
    assert($server !== false);
    $port = substr((string) strrchr((string) stream_socket_get_name($server, false), ':'), 1);
    $child = pcntl_fork();
    if ($child === 0) {
        while (($peer = @stream_socket_accept($server, 10)) !== false) {
            while (($line = fgets($peer)) !== false) {
                $words = explode(' ', rtrim($line));
                if ($words[0] === 'ms') {
                    fgets($peer);
                }
                if ($says === '(closes)') {
                    fclose($peer);
                    continue 2;
                }
                $opaque = preg_match('/ (O\S+)/', $line, $matches) === 1 ? $matches[1] : '';
                $reply = strtr($says, ['…' => $opaque, '\r\n' => "\r\n"]) . "\r\n";
                $reply = str_contains($line, 'larder:fence') ? "EN $opaque\r\n" : $reply;
                fwrite($peer, $says === '(nothing)' ? '' : $reply);
            }
        }
        posix_kill((int) getmypid(), SIGKILL);
    }
    fclose($server);
    $client = new Memcached("127.0.0.1:$port", timeout: $says === '(nothing)' ? 50 : 5000, retry: 60_000);
    $result = $calls[$call]($client);
    $found[] = [
        match (true) {
            $result instanceof Outcome => $result->name,
            is_int($result) => (string) $result,
            $result->hit => 'hit',
            default => $result->answered ? 'miss' : 'not answered',
        },
        implode(' ', array_unique(array_map(
            static fn(Failure $failure): string => $failure->kind->name,
            $client->failures(),
        ))),
    ];
    $client->close();
    posix_kill($child, SIGKILL);
    pcntl_waitpid($child, $status);
}
echo json_encode($found, JSON_THROW_ON_ERROR);
