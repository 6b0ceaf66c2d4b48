--TEST--
No signal comes of writing to a server that is gone, and the call ends with what happened
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

/* It reads one line, then closes with the rest unread: what is written next is answered by a reset. */
$peer = new Peer(function (Wire $wire): void {
    $line = $wire->line();
    if (str_starts_with((string) $line, 'mg')) {
        $wire->say("EN O*\r\n");
        $wire->line();
    }
});
/* PHP ignores it by itself; without that, the process would end here. */
$code = 'pcntl_signal(SIGPIPE, SIG_DFL);'
    . '$cache = new Larder\Memcached(' . var_export($peer->address, true) . ', timeout: 2000, retry: 1);'
    . <<<'PHP'
    $kinds = [];
    for ($round = 0; $round < 30; $round++) {
        usleep(1500);
        if ($round % 2 === 0) {
            $cache->get('key');
        }
        $outcomes = $cache->setMultiple(array_fill_keys(range(1, 200), str_repeat('x', 20000)));
        foreach ($outcomes as $outcome) {
            $kinds[$outcome->name] = true;
        }
        foreach ($cache->failures() as $failure) {
            $kinds[$failure->kind->name] = true;
        }
    }
    unset($kinds['Down'], $kinds['Refused']);
    ksort($kinds);
    echo 'alive: ', implode(' ', array_keys($kinds)), "\n";
    PHP;
echo run_php($code);

/* On a path, the first write already finds nobody. */
$code = 'require ' . var_export(__DIR__ . '/server.inc', true) . ';' . <<<'PHP'
    pcntl_signal(SIGPIPE, SIG_DFL);
    $server = MemcachedServer::unix();
    $cache = new Larder\Memcached($server->address, timeout: 2000, retry: 1);
    foreach (['set', 'get', 'setMultiple'] as $call) {
        $cache->set('key', 'v');
        $server->stop();
        $arguments = match ($call) {
            'get' => ['key'],
            'set' => ['key', 'v'],
            default => [array_fill_keys(range(1, 100), str_repeat('x', 20000))],
        };
        $cache->$call(...$arguments);
        echo $call, ': ', $cache->failures()[0]->kind->name, "\n";
        $server->start();
        usleep(3000);
    }
    PHP;
echo run_php($code);
?>
--EXPECT--
alive: Closed Unknown
set: Unreachable
get: Unreachable
setMultiple: Unreachable
