--TEST--
One call is one sendmsg and one recv; fifty on one server are one sendmsg and at most two recv per burst of replies
--EXTENSIONS--
larder
posix
--SKIPIF--
<?php
/* Where tracing is not allowed, strace is there and says so. */
if (!str_contains((string) shell_exec('strace -f -e trace=none true 2>&1; echo code $?'), 'code 0')) {
    die('skip needs strace');
}
if (getenv('SKIP_ASAN')) {
    die('skip needs a process without AddressSanitizer: its leak check cannot be traced');
}
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$calls = [
    'get' => '$cache->get("key1")',
    'get, not there' => '$cache->get("none")',
    'get, 100 KB' => '$cache->get("large")',
    'set' => '$cache->set("key1", "v")',
    'increment' => '$cache->increment("n")',
    'delete' => '$cache->delete("none")',
    'getMultiple' => '$cache->getMultiple($keys)',
    'setMultiple' => '$cache->setMultiple(array_fill_keys($keys, str_repeat("x", 300)))',
    'setMultiple, 2 KB each' => '$cache->setMultiple(array_fill_keys($keys, str_repeat("x", 2000)))',
    'incrementMultiple' => '$cache->incrementMultiple($counters)',
    'touchMultiple' => '$cache->touchMultiple($keys, 50)',
    'deleteMultiple' => '$cache->deleteMultiple($keys)',
];
$program = 'require ' . var_export(__DIR__ . '/server.inc', true) . ';' . <<<'PHP'
    $cache = new Larder\Memcached($argv[1], timeout: 10000);
    $keys = array_map(fn($number) => "key$number", range(1, 50));
    $counters = array_map(fn($number) => "counter$number", range(1, 50));
    $cache->setMultiple(array_fill_keys($counters, 1));
    $cache->setMultiple(array_fill_keys($keys, str_repeat('x', 200)));
    $cache->set('n', 1);
    $cache->set('large', random_bytes(50000) . str_repeat('l', 50000));
    PHP;
foreach ($calls as $name => $call) {
    /* So that a call's own stand alone. */
    $program .= 'posix_getpgid(' . (1000000 + array_search($name, array_keys($calls), true))
        . "); $call; posix_getpgid(999999);";
}
foreach (['unix' => MemcachedServer::unix(), 'tcp' => MemcachedServer::tcp()] as $way => $server) {
    $trace = (string) tempnam(sys_get_temp_dir(), 'larder');
    /* All but what asks for time and memory. */
    $set = 'trace=network,read,write,readv,writev,poll,ppoll,select,pselect6,epoll_wait,epoll_ctl,epoll_pwait,fcntl,'
        . 'getpid,getpgid,close';
    shell_exec(
        'strace -o ' . escapeshellarg($trace) . " -e signal=none -e $set " . php_command([]) . ' -d extension=posix -r '
            . escapeshellarg($program) . ' -- ' . escapeshellarg($server->address) . ' 2>&1',
    );
    $traced = (string) file_get_contents($trace);
    /* Its own: what else the program opens sets none. */
    echo $way, ': ', str_contains($traced, 'TCP_NODELAY') ? 'sent without delay' : 'as it is', "\n";
    $parts = preg_split('/^getpgid\((\d+)\).*\n/m', $traced, -1, PREG_SPLIT_DELIM_CAPTURE) ?: [];
    unlink($trace);
    foreach (array_keys($calls) as $number => $name) {
        $at = array_search((string) (1000000 + $number), $parts, true);
        $seen = $at === false
            ? []
            : array_count_values(
                array_map(fn($line) => (string) strtok($line, '('), array_filter(explode("\n", $parts[$at + 1]))),
            );
        $sends = ($seen['sendmsg'] ?? 0) + ($seen['sendto'] ?? 0);
        $receives = ($seen['recvmsg'] ?? 0) + ($seen['recvfrom'] ?? 0);
        /* memcached sends 20 replies at a time, so 51 come in three bursts; a large value comes in any pieces. */
        $most = str_contains($name, 'Multiple') ? 6 : (str_contains($name, 'KB') ? 8 : 1);
        $others = array_diff_key($seen, ['sendmsg' => 1, 'sendto' => 1, 'recvmsg' => 1, 'recvfrom' => 1]);
        echo "$way, $name: $sends out, ", $receives >= 1 && $receives <= $most
            ? 'as few in as may be'
            : "$receives in", $others === [] ? '' : ', and ' . json_encode($others), "\n";
    }
}
?>
--EXPECT--
unix: as it is
unix, get: 1 out, as few in as may be
unix, get, not there: 1 out, as few in as may be
unix, get, 100 KB: 1 out, as few in as may be
unix, set: 1 out, as few in as may be
unix, increment: 1 out, as few in as may be
unix, delete: 1 out, as few in as may be
unix, getMultiple: 1 out, as few in as may be
unix, setMultiple: 1 out, as few in as may be
unix, setMultiple, 2 KB each: 1 out, as few in as may be
unix, incrementMultiple: 1 out, as few in as may be
unix, touchMultiple: 1 out, as few in as may be
unix, deleteMultiple: 1 out, as few in as may be
tcp: sent without delay
tcp, get: 1 out, as few in as may be
tcp, get, not there: 1 out, as few in as may be
tcp, get, 100 KB: 1 out, as few in as may be
tcp, set: 1 out, as few in as may be
tcp, increment: 1 out, as few in as may be
tcp, delete: 1 out, as few in as may be
tcp, getMultiple: 1 out, as few in as may be
tcp, setMultiple: 1 out, as few in as may be
tcp, setMultiple, 2 KB each: 1 out, as few in as may be
tcp, incrementMultiple: 1 out, as few in as may be
tcp, touchMultiple: 1 out, as few in as may be
tcp, deleteMultiple: 1 out, as few in as may be
