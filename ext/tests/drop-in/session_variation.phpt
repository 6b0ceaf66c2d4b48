--TEST--
memcached: random sessions go from php-memcached's handler to ours and back, with all serializers, prefixes and rings
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/session.inc';

$servers = [MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp()];
$addresses = array_map(static fn($server) => $server->address, $servers);
$done = 0;
/* A step that has no factor with the numbers of choices comes by each of them. */
for ($i = 0; $i < 20; $i++) {
    $settings = session_settings($i * 37 % 960) ?? session_settings($i);
    [$first, $second] = $i % 2 === 0 ? [PEER, ours()] : [ours(), PEER];
    $said = session_exchange($first, $second, 100 + $i, 10, $settings, $addresses);
    echo $said === '' ? '' : json_encode($settings) . "\n$said";
    $done += $said === '' ? 1 : 0;
}
echo "$done of 20, ", locks_left($addresses), " locks left\n";
?>
--EXPECT--
20 of 20, 0 locks left
