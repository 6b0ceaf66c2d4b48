--TEST--
memcached: the codes of a socket that nobody listens to, and of a server that is full, are php-memcached's
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$say = <<<'PHP'
    foreach ([false, true] as $binary) {
        $memcached = new Memcached();
        $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, $binary);
        $memcached->addServer($path, 0);
        var_dump($memcached->set('key', str_repeat('v', 300)), $memcached->getResultMessage());
        var_dump($memcached->get('key'), $memcached->getResultMessage());
    }
    PHP;
$said = [];
foreach ([PEER, ours()] as $module) {
    /* A directory of its own, and in it a socket that was closed. */
    $away = MemcachedServer::unix();
    $path = dirname(substr($away->address, 5)) . '/closed';
    fclose(stream_socket_server("unix://$path"));
    $said[] = run_with($module, '$path = ' . var_export($path, true) . "; $say");
    $full = MemcachedServer::unix('-M', '-m', '2', '-f', '4');
    for ($i = 0; $full->ask("set fill:$i 0 0 300\r\n" . str_repeat('x', 300)) === "STORED\r\n"; $i++);
    $said[] = run_with($module, '$path = ' . var_export(substr($full->address, 5), true) . "; $say");
}
echo $said[0] === $said[2] ? $said[2] : "theirs $said[0] ours $said[2]";
echo $said[1] === $said[3] ? $said[3] : "theirs $said[1] ours $said[3]";
?>
--EXPECT--
bool(false)
string(18) "CONNECTION FAILURE"
bool(false)
string(51) "SERVER HAS FAILED AND IS DISABLED UNTIL TIMED RETRY"
bool(false)
string(18) "CONNECTION FAILURE"
bool(false)
string(51) "SERVER HAS FAILED AND IS DISABLED UNTIL TIMED RETRY"
bool(false)
string(32) "SERVER FAILED TO ALLOCATE OBJECT"
bool(false)
string(9) "NOT FOUND"
bool(false)
string(25) "MEMORY ALLOCATION FAILURE"
bool(false)
string(9) "NOT FOUND"
