--TEST--
processOf: who keeps a key, asked once per connection; nobody while another process could look the same
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::tcp();
$cache = new Larder\Memcached($server->address, timeout: 5000, retry: 10);
$settled = function () use ($cache): string {
    for ($tries = 0; $tries < 600; $tries++, usleep(50000)) {
        if (($process = $cache->processOf('key')) !== null) {
            return $process;
        }
    }
    return 'never';
};
$batches = fn(): int => $cache->info()[$server->address]['batches'];

var_dump($cache->processOf('key', ask: false), $cache->processOf('key'));
$first = $settled();
var_dump(
    $first === sprintf(
        '%s %d %d',
        $server->address,
        $server->stat('pid'),
        $server->stat('time') - $server->stat('uptime'),
    ),
);
$before = $batches();
var_dump($cache->processOf('key') === $first, $cache->processOf('other', ask: false) === $first, $batches() - $before);

$cache->close();
var_dump($cache->processOf('key', ask: false), $cache->processOf('key') === $first, $batches() - $before);

/* The end of the connection shows at its next use. */
$server->stop();
$server->start();
var_dump(
    $cache->processOf('key', ask: false) === $first,
    $cache->get('key'),
    $cache->processOf('key', ask: false),
    $cache->processOf('key'),
);
$second = $settled();
var_dump($second !== $first, $second !== 'never');

$server->stop();
$cache->get('key');
var_dump(
    $cache->processOf('key'),
    count($cache->failures()) > 0,
    (new Larder\Memcached($server->address, udp: true, timeout: 5000))->processOf('key'),
);
try {
    $cache->processOf('');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
NULL
NULL
bool(true)
bool(true)
bool(true)
int(0)
NULL
bool(true)
int(1)
bool(true)
NULL
NULL
NULL
bool(true)
bool(true)
NULL
bool(true)
NULL
Larder\Memcached::processOf(): Argument #1 ($key) must be 1 to 250 bytes long as it is sent, 0 given
