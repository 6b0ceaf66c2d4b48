--TEST--
UDP: with 0, 1 and 5 % of the datagrams lost, late or doubled every value is right; after a loss TCP is used for a while
--EXTENSIONS--
larder
pcntl
posix
--FILE--
<?php
require __DIR__ . '/udp.inc';

foreach ([
    'nothing lost' => [0.0, 0.0],
    'out of order' => [0.0, 0.3],
    '1 %' => [0.01, 0.1],
    '5 %' => [0.05, 0.1],
] as $name => [$loss, $disorder]) {
    $server = new UdpServer($loss, $disorder);
    $cache = new Larder\Memcached($server->address, timeout: 5000, retry: 50, udp: true);
    $values = [];
    for ($number = 0; $number < 200; $number++) {
        /* Every tenth does not fit a datagram. */
        $values["key$number"] = "key$number:"
            . str_repeat(chr(65 + $number % 26), $number % 10 === 0 ? 5000 : $number * 6);
    }
    $cache->setMultiple($values);
    $keys = array_keys($values);
    $wrong = $missed = 0;
    for ($turn = 0; $turn < 80; $turn++) {
        $some = array_map(static fn(int $step): string => $keys[($turn * 7 + $step * 3) % 200], range(0, 49));
        $got = $cache->getMultiple([...$some, 'nobody']);
        $missed += 50 - count($got);
        foreach ($got as $key => $value) {
            $wrong += $value === $values[$key] ? 0 : 1;
        }
        $key = $keys[$turn % 200];
        $one = $cache->get($key);
        $wrong += $one === null || $one === $values[$key] ? 0 : 1;
        $missed += $one === null ? 1 : 0;
    }
    $info = $cache->info()[$server->address];
    echo "$name: wrong $wrong, missed $missed; ",
        $info['udpAnswered'] > 100 ? 'answered by UDP' : "only {$info['udpAnswered']} answered by UDP", ', ',
        $info['udpLong'] > 0 ? 'long ones by TCP' : 'no long ones', ', ',
        $info['udpFallbacks'] > 0 && $info['udpLost'] > 0 ? 'fell back' : 'no fallback', "\n";
}
?>
--EXPECTF--
nothing lost: wrong 0, missed 0; answered by UDP, long ones by TCP, %s
out of order: wrong 0, missed 0; answered by UDP, long ones by TCP, %s
1 %: wrong 0, missed 0; answered by UDP, long ones by TCP, fell back
5 %: wrong 0, missed 0; answered by UDP, long ones by TCP, fell back
