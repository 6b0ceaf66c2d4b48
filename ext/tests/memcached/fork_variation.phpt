--TEST--
A child of a fork has its own connections, with shared memory and without
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

foreach (['64M', '0'] as $size) {
    $code = 'require ' . var_export(__DIR__ . '/server.inc', true) . ';' . <<<'PHP'
        $server = MemcachedServer::unix();
        $cache = new Larder\Memcached($server->address, timeout: 5000);
        $cache->setMultiple(['a' => 'A', 'b' => 'B']);
        $children = [];
        for ($child = 0; $child < 4; $child++) {
            $children[] = $pid = pcntl_fork();
            if ($pid === 0) {
                $wrong = 0;
                for ($round = 0; $round < 300; $round++) {
                    $cache->set("of$child", $round);
                    $values = $cache->getMultiple(['a', "of$child", 'b']);
                    $wrong += $values === ['a' => 'A', "of$child" => $round, 'b' => 'B'] ? 0 : 1;
                }
                exit($wrong === 0 && $cache->info()[$server->address]['connects'] >= 1 ? 0 : 1);
            }
        }
        $wrong = 0;
        for ($round = 0; $round < 300; $round++) {
            $wrong += $cache->getMultiple(['b', 'none', 'a']) === ['b' => 'B', 'a' => 'A'] ? 0 : 1;
        }
        foreach ($children as $pid) {
            pcntl_waitpid($pid, $status);
            $wrong += pcntl_wexitstatus($status);
        }
        echo 'wrong: ', $wrong, ', connects: ', $cache->info()[$server->address]['connects'], "\n";
        PHP;
    echo run_php($code, ['larder.size' => $size]);
}
?>
--EXPECT--
wrong: 0, connects: 1
wrong: 0, connects: 1
