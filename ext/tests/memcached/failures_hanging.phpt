--TEST--
A server that hangs costs one deadline and no more; with a second one its keys are read within the same call
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$servers = [MemcachedServer::unix(), MemcachedServer::unix(), MemcachedServer::unix()];
$addresses = array_column($servers, 'address');
$keys = array_map(fn(int $number) => "key$number", range(1, 300));
foreach (['none', 'next', 'mirror'] as $number => $failover) {
    $cache = new Larder\Memcached($addresses, timeout: 1000, retry: 60000, failover: $failover);
    $cache->setMultiple(array_fill_keys($keys, 'v'), 1000);
    $hangs = array_filter($keys, fn(string $key) => $cache->serverOf($key) === $addresses[$number]);
    $servers[$number]->pause();
    $of = fn(int $count): string => match ($count) {
        300 => 'all',
        300 - count($hangs) => "the others'",
        default => (string) $count,
    };
    echo "$failover:\n";
    for ($call = 0; $call < 3; $call++) {
        $answers = $cache->readMultiple($keys);
        $kinds = array_map(fn($failure) => $failure->kind->name, $cache->failures());
        echo '  answered ', $of(count(array_filter($answers, fn($answer) => $answer->answered))), ', found ',
            $of(count(array_filter($answers, fn($answer) => $answer->hit))), ', time-outs ',
            array_sum(array_column($cache->info(), 'timeouts')), ', ', implode(' ', $kinds), "\n";
    }
    /* A write is not sent to two servers by itself. */
    $cache = new Larder\Memcached($addresses, timeout: 500, retry: 60000, failover: $failover);
    $outcomes = array_column($cache->incrementMultiple($keys), 'name');
    echo '  unknown ', count(array_keys($outcomes, 'Unknown')) === count($hangs) ? 'as many as hang' : 'others', "\n";
    $servers[$number]->resume();
    $cache->close();
}
?>
--EXPECT--
none:
  answered the others', found the others', time-outs 1, TimedOut
  answered the others', found the others', time-outs 1, Down
  answered the others', found the others', time-outs 1, Down
  unknown as many as hang
next:
  answered all, found the others', time-outs 1, 
  answered all, found the others', time-outs 1, 
  answered all, found the others', time-outs 1, 
  unknown as many as hang
mirror:
  answered all, found all, time-outs 1, 
  answered all, found all, time-outs 1, 
  answered all, found all, time-outs 1, 
  unknown as many as hang
