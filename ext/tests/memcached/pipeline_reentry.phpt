--TEST--
pipeline: values that use it while they are encoded and decoded
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Reenters
{
    public function __serialize(): array
    {
        global $pipeline, $cache;
        for ($number = 0; $number < 20; $number++) {
            $pipeline->set("within $number", $number);
        }
        $cache->set('at once', 'done');
        return [];
    }

    public function __unserialize(array $data): void
    {
        global $pipeline, $cache;
        $GLOBALS['found'] ??= [
            $pipeline->count(),
            $pipeline->read('within 7')->run()[0]->value,
            $cache->get('at once'),
        ];
    }
}

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000, objects: true);
$pipeline = $cache->pipeline()->set('first', 1);
$pipeline->set('object', new Reenters())->read('object')->read('first');
echo $pipeline->count(), "\n";
$results = $pipeline->run();
echo count(
    $results,
), ' ', $results[22]->value::class, ' ', $results[23]->value, ' ', json_encode($found), ' ', $pipeline->count(), "\n";
?>
--EXPECT--
24
24 Reenters 1 [0,7,"done"] 0
