--TEST--
memcached: getDelayed() sends and comes back; what is called before fetch() takes the replies, and loses none
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

$server = MemcachedServer::unix();
$pid = (int) preg_replace('~\D~', '', explode("\r\n", $server->ask('stats'))[0]);
$path = substr($server->address, 5);
$begin = '$path = ' . var_export($path, true) . "; \$pid = $pid;";
echo run_with(ours(), $begin . <<<'PHP'
    $connect = static function (?string $id = null) use ($path): Memcached {
        $memcached = new Memcached($id);
        count($memcached->getServerList()) > 0 || $memcached->addServer($path, 0);
        return $memcached;
    };
    $connections = static fn(): int => current($connect()->getStats())['total_connections'];
    $values = static fn(array|false $found): string => $found === false ? 'nothing'
        : implode(' ', array_map(static fn(array $one): string => "$one[key]=$one[value]", $found));
    $memcached = $connect();
    $memcached->setMulti(['a' => 1, 'b' => 2, 'c' => 3]);

    /* A signal comes a while after it was sent, to one thread after the other. */
    $kill = static function (string $signal, string ...$states) use ($pid): void {
        exec("kill -$signal $pid");
        do {
            $found = array_map(static fn(string $file): string
                => preg_replace('~^.*\) ~', '', (string) @file_get_contents($file))[0] ?? '',
                glob("/proc/$pid/task/*/stat"));
        } while (array_diff($found, $states) !== []);
    };

    /* The server cannot answer yet. */
    $kill('STOP', 'T');
    $sent = $memcached->getDelayed(['a', 'b', 'none']);
    exec("kill -CONT $pid");
    echo json_encode($sent), ' ', $values($memcached->fetchAll()), ' ', $memcached->getResultMessage(), "\n";

    $between = [
        'get' => static fn($memcached) => $memcached->get('c') === 3,
        'getMulti' => static fn($memcached) => $memcached->getMulti(['c']) === ['c' => 3],
        'set' => static fn($memcached) => $memcached->set('d', 1),
        'getStats' => static fn($memcached) => is_array($memcached->getStats()),
        'getServerByKey' => static fn($memcached) => is_array($memcached->getServerByKey('a')),
        'setOption' => static fn($memcached) => $memcached->setOption(Memcached::OPT_DISTRIBUTION, 1),
        'addServer' => static fn($memcached) => $memcached->addServer($path, 0),
        'a prefix' => static fn($memcached) => $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'p:'),
        'a serializer' => static fn($memcached) => $memcached->setOption(Memcached::OPT_SERIALIZER, 3),
        'binary' => static fn($memcached) => $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, 1),
        'quit' => static fn($memcached) => $memcached->quit(),
        'resetServerList' => static fn($memcached) => $memcached->resetServerList(),
        'a second one' => static fn($memcached) => $memcached->getDelayed(['a']),
    ];
    foreach ($between as $name => $do) {
        $memcached = $connect();
        $memcached->getDelayed(['a', 'b']);
        echo "$name ", json_encode($do($memcached)), ': ', $values($memcached->fetchAll()), "\n";
    }

    /* Two objects of one id have one connection. */
    [$one, $two] = [$connect('id'), $connect('id')];
    $one->get('a');
    $before = $connections();
    $one->getDelayed(['a', 'b']);
    $two->getDelayed(['b', 'c']);
    echo $values($one->fetchAll()), ', ', $values($two->fetchAll()), ', ', $connections() - $before - 1, " more\n";
    $one->getDelayed(['a', 'b']);
    unset($one);
    echo $two->get('c'), "\n";
    $kill('STOP', 'T');
    $two->getDelayed(['a', 'b']);
    $kill('9', 'Z', 'X', '');
    echo $values($two->fetchAll()), ' ', $two->getResultMessage(), "\n";
    $sent = $connect()->getDelayed(['a']);
    echo json_encode($sent), "\n";
    PHP);
?>
--EXPECT--
true a=1 b=2 SUCCESS
get true: a=1 b=2
getMulti true: a=1 b=2
set true: a=1 b=2
getStats true: a=1 b=2
getServerByKey true: a=1 b=2
setOption true: a=1 b=2
addServer true: a=1 b=2
a prefix true: a=1 b=2
a serializer true: a=1 b=2
binary true: a=1 b=2
quit true: a=1 b=2
resetServerList true: a=1 b=2
a second one true: a=1
a=1 b=2, b=2 c=3, 0 more
3
nothing NOT FOUND
false
