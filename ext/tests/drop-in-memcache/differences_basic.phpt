--TEST--
memcache: what docs/how-to/from-pecl-memcache.md says is different, gets by datagrams, and connections that last
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

$server = MemcachedServer::tcp();
$port = substr($server->address, 10);
$begin = "error_reporting(E_ALL & ~E_DEPRECATED); \$port = $port; \$memcache = new MemcachePool();"
    . " \$memcache->addServer('127.0.0.1', \$port);";

echo run_with(our_memcache(), $begin . <<<'PHP'
    var_dump($memcache->set('number', 1), array_keys($memcache->increment(['none', 'number'])));
    var_dump(@$memcache->setSaslAuthData('user', 'password'), error_get_last()['message']);
    var_dump($memcache->increment('ascii', 1, 5));
    var_dump($memcache->cas('none', 1, 0, 0, 5), $memcache->get('number'));
    $memcache->set('packed', str_repeat('z', 500), MEMCACHE_COMPRESSED);
    var_dump($memcache->append('packed', 'tail'), @$memcache->get('packed'), error_get_last()['message']);
    final class Refusing
    {
        public function __sleep(): array
        {
            throw new DomainException('no');
        }
    }
    try {
        @$memcache->set(['before' => 1, 'refused' => new Refusing(), 'behind' => 1]);
    } catch (DomainException $thrown) {
        var_dump($thrown->getMessage(), $memcache->get(['before', 'behind']));
    }
    PHP);
echo run_with(our_memcache(), $begin . "var_dump(\$memcache->increment('binary', 1, 5), \$memcache->get('binary'));",
    [], ['memcache.protocol' => 'binary']);
$settings = ['session.save_handler' => 'memcache', 'session.save_path' => "tcp://$server->address",
    'session.use_cookies' => '0', 'session.cache_limiter' => ''];
echo run_with(our_memcache(), "session_id(str_repeat('k', 246)); var_dump(@session_start());", [], $settings);

/* Objects with the same persistent server have one connection between them, also when they come after each other. */
$connections = static fn(): int => (int) substr(strstr($server->ask('stats'), 'total_connections ') ?: '', 18);
foreach ([true, false] as $persistent) {
    $before = $connections();
    echo run_with(our_memcache(), "\$port = $port; \$persistent = " . var_export($persistent, true) . ';' . <<<'PHP'
        error_reporting(E_ALL & ~E_DEPRECATED);
        for ($i = 0; $i < 5; $i++) {
            $one = new Memcache();
            $one->addServer('127.0.0.1', $port, $persistent);
            $one->set('number', $i) || print("not set\n");
            unset($one);
        }
        PHP);
    echo $connections() - $before - 1, " connections\n";
}

/* A get goes to the UDP port, and by TCP where nobody answers there. */
$silent = stream_socket_server('udp://127.0.0.1:0', $error, $why, STREAM_SERVER_BIND);
$udp = substr((string) strrchr(stream_socket_get_name($silent, false), ':'), 1);
$code = 'error_reporting(E_ALL & ~E_DEPRECATED);' . " \$tcp = $port; \$udp = UDP;" . <<<'PHP'
    $memcache = new MemcachePool();
    $memcache->addServer('127.0.0.1', $tcp, $udp);
    $value = str_repeat('0123456789', 1000);
    var_dump($memcache->set('long', $value), $memcache->get('long') === $value);
    PHP;
echo run_with(our_memcache(), str_replace('UDP', $udp, $code));
stream_set_blocking($silent, false);
echo str_contains((string) stream_socket_recvfrom($silent, 2000), 'long') ? 'asked' : 'not asked', " by datagram\n";
/* One answer there is of many datagrams. */
fclose($silent);
$server = MemcachedServer::tcp('-U', $udp);
$port = substr($server->address, 10);
echo run_with(our_memcache(), str_replace(['UDP', '$tcp = '], [$udp, "\$tcp = $port; \$first = "], $code));
?>
--EXPECT--
bool(true)
array(2) {
  [0]=>
  string(4) "none"
  [1]=>
  string(6) "number"
}
bool(false)
string(54) "MemcachePool::setSaslAuthData(): SASL is not supported"
bool(false)
bool(false)
int(2)
bool(true)
bool(false)
string(46) "MemcachePool::get(): Failed to uncompress data"
string(2) "no"
array(0) {
}
int(5)
string(1) "5"
bool(false)
1 connections
5 connections
bool(true)
bool(true)
asked by datagram
bool(true)
bool(true)
