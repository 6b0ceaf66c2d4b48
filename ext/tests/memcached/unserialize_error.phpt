--TEST--
A value that throws in the middle of many: nothing leaks, and the connection is in step
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Throwing
{
    public function __unserialize(array $data): void
    {
        throw new DomainException('not me');
    }
}

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000, objects: true);
$values = [];
for ($number = 0; $number < 50; $number++) {
    $values["key$number"] = $number === 20 ? new Throwing() : str_repeat(chr(65 + $number % 26), 1000 + $number);
}
$cache->setMultiple($values);
$used = null;
for ($round = 0; $round < 20; $round++) {
    foreach ([
        fn() => $cache->getMultiple(array_keys($values)),
        fn() => $cache->readMultiple(array_keys($values)),
        fn() => $cache->get('key20'),
        fn() => $cache->read('key20'),
        fn() => $cache->getAndTouch('key20'),
        fn() => array_reduce(
            array_keys($values),
            fn($pipeline, $key) => $pipeline->read($key),
            $cache->pipeline(),
        )->run(),
    ] as $call) {
        $call();
        $failures = $cache->failures();
        if (count($failures) !== 1 || $failures[0]->kind !== Larder\FailureKind::ClassChanged
            || $failures[0]->key !== 'key20') {
            echo "no failure\n";
        }
        unset($failures);
        if ($cache->get('key7') !== $values['key7']) {
            echo "out of step\n";
        }
    }
    unset($call);
    if ($round === 2) {
        $used = memory_get_usage();
    }
}
var_dump(memory_get_usage() - $used, $cache->info()[$server->address]['connects']);
?>
--EXPECT--
int(0)
int(1)
