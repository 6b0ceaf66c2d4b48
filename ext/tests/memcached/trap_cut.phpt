--TEST--
A server that closes at each byte of its replies: one call reports it or none, all are answered right (complaint 1)
--EXTENSIONS--
larder
posix
--FILE--
<?php
require __DIR__ . '/server.inc';
require __DIR__ . '/peer.inc';

$server = MemcachedServer::unix();
$text = implode('', array_map(chr(...), range(0, 40)));
/* No call's answer depends on whether another has been done. */
$calls = [
    fn($cache) => $cache->get('a'),
    fn($cache) => $cache->getMultiple(['a', 'none', 'b']),
    fn($cache) => $cache->set('c', 'new'),
    fn($cache) => $cache->increment('n', 7),
    fn($cache) => $cache->read('b')->value,
    fn($cache) => $cache->delete('d'),
    fn($cache) => $cache->add('a', 'again'),
    fn($cache) => $cache->setMultiple(['e' => 1, 'f' => 2, 'g' => 3]),
    fn($cache) => $cache->append('h', '!'),
    fn($cache) => $cache->touch('a', 1000),
    fn($cache) => $cache->pipeline()->has('b')->delete('i')->increment('m')->has('none')->run(),
    fn($cache) => $cache->getMultiple(['b', 'a']),
];
$direct = new Larder\Memcached($server->address, timeout: 5000);
$fill = fn() => $direct->setMultiple([
    'a' => 'A',
    'b' => $text,
    'd' => 'D',
    'n' => 5,
    'h' => 'H',
    'i' => 'I',
    'm' => 1,
]);
$refill = function () use ($direct, $fill): void {
    $direct->deleteMultiple(['c', 'e', 'f', 'g']);
    $fill();
};
/* So that versions, which some replies tell, have five digits all the time. */
for ($round = 0; $round < 10; $round++) {
    $direct->setMultiple(array_fill(0, 1000, ''));
}
/* The file says after how many bytes the next connection is closed; behind it stands what came by the last one. */
$path = (string) tempnam(sys_get_temp_dir(), 'larder');
$peer = new Peer(function (Wire $wire) use ($server, $path): void {
    $left = (int) file_get_contents($path);
    $came = 0;
    file_put_contents($path, (string) PHP_INT_MAX);
    $wire->relay($server->address, function (string $bytes) use (&$left, &$came, $wire, $path): ?string {
        $came += strlen($bytes);
        if ($left === PHP_INT_MAX) {
            file_put_contents("$path.came", (string) $came);
        }
        if (strlen($bytes) < $left) {
            $left -= $left === PHP_INT_MAX ? 0 : strlen($bytes);
            return $bytes;
        }
        $wire->say(substr($bytes, 0, $left));
        return null;
    });
});
/* Nothing waits for this deadline, or it would be told as TimedOut. */
$cache = new Larder\Memcached($peer->address, timeout: 20000, retry: 1);
$refill();
file_put_contents($path, (string) PHP_INT_MAX);
$right = array_map(fn($call) => $call($cache), $calls);
$cache->close();
usleep(20000);
$bytes = (int) file_get_contents("$path.came");
/*
 * Whether a call after a failure gave its own answer. Some parts may be "not known"; nothing that was sent may be
 * refused.
 */
$is_part = function (mixed $given, mixed $right) use (&$is_part): bool {
    if (is_array($right) && is_array($given)) {
        return array_diff_key($given, $right) === []
            && !in_array(false, array_map(fn($key) => $is_part($given[$key], $right[$key]), array_keys($given)), true);
    }
    return $given === $right || in_array($given, [null, false, Larder\Outcome::Unknown], true);
};
$wrong = 0;
$kinds = $reporting = [];
for ($position = 0; $position < $bytes; $position++) {
    $refill();
    file_put_contents($path, (string) $position);
    $failed = 0;
    foreach ($calls as $number => $call) {
        $given = $call($cache);
        foreach ($cache->failures() as $failure) {
            $kinds[$failure->kind->name] = ($kinds[$failure->kind->name] ?? 0) + 1;
        }
        $is_failed = $cache->failures() !== [];
        $failed += $is_failed ? 1 : 0;
        $reporting += $is_failed ? [$number => true] : [];
        if (!($is_failed ? $is_part($given, $right[$number]) : $given == $right[$number])) {
            $wrong++;
            echo "byte $position, call $number: ", json_encode($given), "\n";
        }
        if ($is_failed) {
            usleep(1500);
        }
    }
    if ($failed > 1) {
        $wrong++;
        echo "byte $position: $failed calls failed\n";
    }
    $cache->close();
    usleep(300);
}
unlink($path);
unlink("$path.came");
echo 'wrong: ', $wrong, ', ', implode(' ', array_keys($kinds)), "\n";
/* Reads go again, but for those of the first call, whose connection has never answered. */
ksort($reporting);
echo implode(' ', array_keys($reporting)), "\n";
var_dump($bytes > 400, array_sum($kinds) > 150);
?>
--EXPECT--
wrong: 0, Closed
0 2 3 5 6 7 8 9 10
bool(true)
bool(true)
