<?php

declare(strict_types=1);

// Loads the classes of Workload\Code\ClassFiles in one way and says what it took, as JSON: nanoseconds, microseconds of
// CPU, round trips, and the hash of all their numbers. Workload\Code\Process starts it for each load
// anew, by a command or in php-fpm; of no use by hand.
//
// What is asked for: way (none, include, preloaded, pool, release), directory, order, batch, host, port, prefix, root,
// and name of the releases.

(static function (): void {
    /** @var array{argv?: list<string>, QUERY_STRING?: string} $server */
    $server = $_SERVER;
    parse_str((PHP_SAPI === 'cli' ? $server['argv'][1] ?? '' : $server['QUERY_STRING'] ?? ''), $ask);
    /** @var array<string, string> $ask */
    $order = json_decode((string) file_get_contents($ask['order']), true);
    /** @var array{files: list<string>, classes: list<class-string>} $order */
    $trips = 0;
    $loader = null;
    if ($ask['way'] === 'release') {
        // An application has its autoloader; what the loader itself takes is measured.
        require $ask['autoload'];
    }
    $cpu = static function (): int {
        /** @var array<string, int> $used */
        $used = getrusage();

        return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000
            + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
    };
    $before = $cpu();
    $begin = hrtime(true);
    switch ($ask['way']) {
        case 'include':
            foreach ($order['files'] as $file) {
                include $ask['directory'] . '/' . $file;
            }
            break;
        case 'pool':
            $memcached = new Memcached();
            $memcached->setOption(Memcached::OPT_BINARY_PROTOCOL, true);
            $memcached->setOption(Memcached::OPT_TCP_NODELAY, true);
            $memcached->addServer($ask['host'], (int) $ask['port']);
            foreach (array_chunk($order['files'], max(1, (int) $ask['batch'])) as $batch) {
                ++$trips;
                $keys = array_map(static fn(string $file): string => $ask['prefix'] . $file, $batch);
                $texts = count($keys) === 1
                    ? [$keys[0] => $memcached->get($keys[0])]
                    : $memcached->getMulti($keys);
                foreach ($keys as $key) {
                    is_string($texts[$key] ?? null) || exit("$key is not in the pool");
                    // Without "<?php", since eval begins in PHP.
                    eval(substr($texts[$key], 5));
                }
            }
            break;
        case 'release':
            $pool = new Larder\Code\MemcachedPool($ask['host'] . ':' . $ask['port']);
            (new Larder\Code\Loader(
                $pool,
                Larder\Code\PublicKey::read($ask['root'] . '.pub'),
                $ask['name'] ?? 'bench',
                new Larder\Code\Releases($ask['root']),
            ))->load($order['files']);
            $trips = $pool->trips();
            break;
    }
    $took = hrtime(true) - $begin;
    $used = $cpu() - $before;
    $numbers = [];
    if ($ask['way'] !== 'none') {
        foreach ($order['classes'] as $class) {
            $number = constant($class . '::NUMBER');
            $numbers[] = is_int($number) ? $number : 0;
        }
    }
    echo json_encode([$took, $used, $trips, hash('xxh3', implode(' ', $numbers))]);
})();
