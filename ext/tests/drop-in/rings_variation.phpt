--TEST--
memcached: the server of each key is php-memcached's, also where sockets have ports, or are added as a list
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

same(<<<'PHP'
    $names = [['/a/%d', 0], ['/a/%d', 5], ['127.0.0.%d', 11211], ['127.0.0.%d', 11219], ['127.0.0.%d', 0]];
    foreach (['modula', 'consistent', 'ketama'] as $ring) {
        foreach ($names as [$host, $port]) {
            foreach ([[1, 1, 1], [1, 3, 2]] as $weights) {
                foreach ([false, true] as $as_list) {
                    $memcached = new Memcached();
                    $ring !== 'ketama' || $memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
                    $ring !== 'consistent' || $memcached->setOption(Memcached::OPT_DISTRIBUTION, 1);
                    $list = array_map(
                        static fn(int $i): array => [sprintf($host, $i + 1), $port, $weights[$i]],
                        [0, 1, 2],
                    );
                    $as_list ? $memcached->addServers($list)
                        : array_map(static fn(array $one) => $memcached->addServer(...$one), $list);
                    $servers = '';
                    for ($i = 0; $i < 300; $i++) {
                        $servers .= substr($memcached->getServerByKey("key$i")['host'], -1);
                    }
                    echo "$ring $host:$port ", implode($weights), (int) $as_list, ' ', md5($servers), ' ';
                    echo json_encode($memcached->getServerList()), "\n";
                }
            }
        }
    }
    PHP);
?>
--EXPECTF--
%Athe same, and %d items
