--TEST--
memcached: with OPT_REMOVE_FAILED_SERVERS the keys of a dead server go where php-memcached has them
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

/*
 * With php-memcached one call more fails, by MARKED DEAD, before the ring is made anew: so only what follows is
 * compared.
 */
same(<<<'PHP'
    foreach ([[0, 1], [0, 5], [1, 1], [1, 7]] as [$ketama, $weight]) {
        $memcached = new Memcached();
        $ketama ? $memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true)
            : $memcached->setOption(Memcached::OPT_DISTRIBUTION, Memcached::DISTRIBUTION_CONSISTENT);
        $memcached->setOptions([Memcached::OPT_REMOVE_FAILED_SERVERS => true, Memcached::OPT_RETRY_TIMEOUT => 3600,
            Memcached::OPT_SERVER_FAILURE_LIMIT => 1, Memcached::OPT_DEAD_TIMEOUT => 3600]);
        /* Names that are the same for both, and so are the points. */
        chdir(dirname($path));
        $memcached->addServers([['/proc/self/cwd/socket', 0, $weight], ['/gone', 0, 3]]);
        $memcached->addServer('/proc/self/root/proc/self/cwd/socket', 0, 2);
        $failed = 0;
        for ($i = 0; $i < 300; $i++) {
            $memcached->set("key$i", $i) || $failed++;
        }
        $hosts = $again = [];
        for ($i = 0; $i < 300; $i++) {
            $memcached->set("key$i", $i) || $again[] = $i;
            $hosts[] = $memcached->getServerByKey("key$i")['host'];
        }
        echo $failed > 0 && $failed < 6 ? 'few' : $failed, ' failed, then ', count($again);
        echo '; of the one that is gone ', count(array_keys($hosts, '/gone', true));
        echo '; ', md5(implode(' ', $hosts)), "\n";
    }
    PHP);
?>
--EXPECTF--
few failed, then 0; of the one that is gone 0; %s
few failed, then 0; of the one that is gone 0; %s
few failed, then 0; of the one that is gone 0; %s
few failed, then 0; of the one that is gone 0; %s
the same, and %d items
