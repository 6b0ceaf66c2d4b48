--TEST--
Every reply of memcached's protocol has its own outcome or failure, and leaves the connection in step
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$lines = [
    'HD O*', 'HD f0 c9 O*', 'VA 2 f0 c9 O*|ab', 'EN O*', 'NF O*', 'NS O*', 'EX O*', 'OK', 'MN', 'ME key x=1',
    'ERROR', 'CLIENT_ERROR bad command line format', 'CLIENT_ERROR cannot increment or decrement non-numeric value',
    'CLIENT_ERROR unauthenticated', 'CLIENT_ERROR authentication failure',
    'SERVER_ERROR object too large for cache',
    'SERVER_ERROR out of memory storing object',
    'SERVER_ERROR out of memory reading request',
    'SERVER_ERROR something else', 'BUSY currently processing crawler request', 'ERROR Too many open connections',
];
$peer = new Peer(function (Wire $wire) use ($lines): void {
    for ($is_first = true; ($line = $wire->request()) !== null; $is_first = str_starts_with($line, 'mg own ')) {
        /*
         * The number in a key chooses the line that answers the call's first request. Its further requests get a value
         * that is no number.
         */
        $is_asked = preg_match('/^\w+ n(\d+) /', $line, $match) === 1;
        $wire->say(
            $is_asked && $is_first
                ? str_replace('|', "\r\n", $lines[(int) $match[1]]) . "\r\n"
                : Wire::answer(['own' => '0wn', 'n12' => 'text'], $line),
        );
    }
});
$cache = new Larder\Memcached($peer->address, timeout: 5000, retry: 1);
$calls = [
    'read' => fn(string $key) => $cache->read($key),
    'set' => fn(string $key) => $cache->set($key, 'v'),
    'add' => fn(string $key) => $cache->add($key, 'v'),
    'replace' => fn(string $key) => $cache->replace($key, 'v'),
    'cas' => fn(string $key) => $cache->cas($key, 'v', 5),
    'delete' => fn(string $key) => $cache->delete($key),
    'touch' => fn(string $key) => $cache->touch($key, 5),
    'increment' => fn(string $key) => $cache->increment($key),
];
foreach ($lines as $number => $line) {
    echo "$line\n";
    $said = [];
    foreach ($calls as $call => $do) {
        usleep(2500);
        $result = $do("n$number");
        $failures = implode(' ', array_map(fn($failure) => $failure->kind->name, $cache->failures()));
        if ($result instanceof Larder\Answer) {
            $result = $result->hit ? 'hit' : ($result->answered ? 'miss' : 'not answered');
        }
        $said[trim(($result instanceof Larder\Outcome ? $result->name : $result) . " $failures")][] = $call;
        usleep(2500);
        if ($cache->get('own') !== '0wn') {
            echo "  $call: the next call got ", json_encode($cache->get('own')), "\n";
        }
    }
    foreach ($said as $what => $of) {
        echo "  $what: ", implode(' ', $of), "\n";
    }
}
?>
--EXPECT--
HD O*
  not answered OutOfStep: read
  Done: set add replace cas delete touch
  Unknown OutOfStep: increment
HD f0 c9 O*
  not answered OutOfStep: read
  Unknown OutOfStep: set add replace cas delete touch increment
VA 2 f0 c9 O*|ab
  hit: read
  Unknown OutOfStep: set add replace cas delete touch increment
EN O*
  miss: read
  Unknown OutOfStep: set add replace cas delete increment
  NotFound: touch
NF O*
  not answered OutOfStep: read
  Unknown OutOfStep: set touch
  Exists: add
  NotFound: replace cas delete increment
NS O*
  not answered OutOfStep: read
  Unknown OutOfStep: set delete touch increment
  Exists: add
  NotFound: replace cas
EX O*
  not answered OutOfStep: read
  Unknown OutOfStep: set delete touch increment
  Exists: add replace cas
OK
  not answered OutOfStep: read
  Unknown OutOfStep: set add replace cas delete touch increment
MN
  not answered OutOfStep: read
  Unknown OutOfStep: set add replace cas delete touch increment
ME key x=1
  not answered OutOfStep: read
  Unknown OutOfStep: set add replace cas delete touch increment
ERROR
  not answered NotUnderstood: read
  Refused NotUnderstood: set add replace cas delete touch increment
CLIENT_ERROR bad command line format
  not answered NotUnderstood: read
  Refused NotUnderstood: set add replace cas delete touch increment
CLIENT_ERROR cannot increment or decrement non-numeric value
  not answered NotUnderstood: read
  Refused NotUnderstood: set add replace cas delete touch
  Exists: increment
CLIENT_ERROR unauthenticated
  not answered Denied: read
  Refused Denied: set add replace cas delete touch increment
CLIENT_ERROR authentication failure
  not answered Denied: read
  Refused Denied: set add replace cas delete touch increment
SERVER_ERROR object too large for cache
  not answered TooLarge: read
  Refused TooLarge: set add replace cas delete touch increment
SERVER_ERROR out of memory storing object
  not answered NoMemory: read
  Refused NoMemory: set add replace cas delete touch increment
SERVER_ERROR out of memory reading request
  not answered NoMemory: read
  Refused NoMemory: set add replace cas delete touch increment
SERVER_ERROR something else
  not answered ServerError: read
  Refused ServerError: set add replace cas delete touch increment
BUSY currently processing crawler request
  not answered ServerError: read
  Refused ServerError: set add replace cas delete touch increment
ERROR Too many open connections
  not answered ServerError: read
  Refused ServerError: set add replace cas delete touch increment
