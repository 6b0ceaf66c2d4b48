--TEST--
memcache: rings, prefixes, copies and failover are php-memcache's, and so is what a callback is told
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

/** @var list<MemcachedServer> $servers */
$servers = [MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp(), MemcachedServer::tcp()];
$ports = array_map(static fn($server) => (int) substr($server->address, 10), $servers);
$begin = 'error_reporting(E_ALL & ~E_DEPRECATED); $ports = ' . var_export($ports, true) . ";\n" . <<<'PHP'
    $_SERVER['SERVER_NAME'] = 'www.shop.example.org';
    $memcache = new MemcachePool();
    foreach ($ports as $i => $port) {
        $memcache->addServer('127.0.0.1', $port, 0, $i % 2 === 0, $i + 1);
    }
    PHP;

/** @param array<string, string> $settings */
function compare(string $name, string $code, array $settings, callable $between): void
{
    global $begin;
    $said = [];
    foreach ([MEMCACHE_PEER, our_memcache()] as $module) {
        $between();
        $said[] = run_with($module, $begin . $code, [], $settings);
    }
    echo $said[0] === $said[1] && $said[1] !== '' ? "$name: the same\n"
        : "$name:\n theirs $said[0]\n ours $said[1]\n";
}

$flush = static function () use ($servers): void {
    foreach ($servers as $server) {
        $server->ask('flush_all');
    }
};
$find = <<<'PHP'
    $found = '';
    for ($i = 0; $i < 2000; $i++) {
        $found .= ' ' . $memcache->findServer("key $i");
    }
    echo md5($found), "\n";
    PHP;
foreach (['standard', 'consistent'] as $strategy) {
    foreach (['crc32', 'fnv'] as $function) {
        compare("$strategy $function", $find,
            ['memcache.hash_strategy' => $strategy, 'memcache.hash_function' => $function], static fn() => null);
    }
}

/* What each server has is asked of it alone. */
$write = <<<'PHP'
    $keys = [];
    for ($i = 0; $i < 40; $i++) {
        $memcache->set($keys[] = "key$i", $i);
    }
    var_dump($memcache->increment('key1'), $memcache->delete('key2'), $memcache->add(['key3' => 1, 'key99' => 1]));
    ksort($all = $memcache->get($keys));
    echo json_encode($all), "\n";
    foreach ($ports as $port) {
        $one = new Memcache();
        $one->addServer('127.0.0.1', $port, false);
        foreach ($keys as $key) {
            echo $one->get($key) === false ? '-' : '+';
        }
        echo "\n";
    }
    PHP;
foreach (['1', '2', '3'] as $copies) {
    compare("$copies copies", $write, ['memcache.redundancy' => $copies], $flush);
}
/* php-memcache complains in the order in which the servers answer, so the order is not compared. */
$refuse = <<<'PHP'
    $notices = [];
    set_error_handler(static function ($level, $message) use (&$notices) {
        $notices[] = $message;
        return true;
    });
    var_dump($memcache->set('word', 'no number'), $memcache->increment('word'), count($notices));
    sort($notices);
    echo implode("\n", $notices), "\n";
    PHP;
compare('copies that are refused', $refuse, ['memcache.redundancy' => '2'], $flush);
$prefixed = <<<'PHP'
    var_dump($memcache->set('a', 'x'), $memcache->get(['a']));
    foreach ($ports as $port) {
        $socket = stream_socket_client("tcp://127.0.0.1:$port");
        foreach (['a', 'Sa', 'Sshop.example.orga', 'Swww.shop.example.orga', 'Sexample.orga'] as $key) {
            fwrite($socket, "get $key\r\n");
            while (($line = fgets($socket)) !== "END\r\n") {
                echo $line;
            }
        }
    }
    PHP;
foreach ([[], ['host_key' => '1'], ['host_key' => '1', 'host_key_remove_www' => '0'],
    ['host_key' => '1', 'host_key_remove_subdomain' => '1']] as $which) {
    $settings = ['memcache.prefix_static_key' => 'S'];
    foreach ($which as $name => $value) {
        $settings["memcache.prefix_$name"] = $value;
    }
    compare('prefix ' . implode(' ', array_keys($which)), $prefixed, $settings, $flush);
}

$fail = <<<'PHP'
    $calls = [];
    $memcache->setFailureCallback(static function ($host, $tcp, $udp, $why, $error) use (&$calls, $ports): void {
        $calls[] = array_search($tcp, $ports) . " $host $udp $why $error";
    });
    $done = '';
    for ($i = 0; $i < 40; $i++) {
        $done .= $memcache->set("key$i", $i) ? '+' : '-';
        $done .= $memcache->get("key$i") === $i ? '+' : '-';
    }
    var_dump($done, $calls, array_map(static fn($port) => $memcache->getServerStatus('127.0.0.1', $port), $ports));
    PHP;
$notice = <<<'PHP'
    ini_set('html_errors', '0');
    for ($i = 0; $i < 40; $i++) {
        var_dump(@$memcache->set("key$i", $i));
    }
    PHP;
$servers[1]->stop();
$servers[2]->stop();
$nothing = static fn() => null;
compare('two lost', $fail, [], $nothing);
compare('two lost, standard', $fail, ['memcache.hash_strategy' => 'standard'], $nothing);
compare('two lost, no failover', $fail, ['memcache.allow_failover' => '0'], $nothing);
compare('two lost, without a callback', $notice, [], $nothing);
compare('two lost, two copies', $notice, ['memcache.redundancy' => '2'], $nothing);
?>
--EXPECT--
standard crc32: the same
standard fnv: the same
consistent crc32: the same
consistent fnv: the same
1 copies: the same
2 copies: the same
3 copies: the same
copies that are refused: the same
prefix : the same
prefix host_key: the same
prefix host_key host_key_remove_www: the same
prefix host_key host_key_remove_subdomain: the same
two lost: the same
two lost, standard: the same
two lost, no failover: the same
two lost, without a callback: the same
two lost, two copies: the same
