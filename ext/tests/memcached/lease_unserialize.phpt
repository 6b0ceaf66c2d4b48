--TEST--
A lease is given back when the value that comes with it throws
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
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000);
$cache->set('key', new Throwing());
$cache->markStale('key', 60);
$try = function (callable $call): void {
    try {
        $call();
        echo "no exception\n";
    } catch (DomainException $error) {
        echo $error->getMessage(), "\n";
    }
};
$try(fn() => $cache->getOrLease('key', 60));
$try(fn() => $cache->getOrLease('key', 60));
$try(fn() => $cache->pipeline()->getOrLease('first', 60)->getOrLease('key', 60)->lease('third', 60)->run());
foreach (['first', 'key', 'third'] as $key) {
    var_dump(is_int($cache->lease($key)));
}

/* What cannot be read at all is a miss, and somebody gets to make it anew. */
$server->ask("set damaged 4 0 5\r\nO:3:{");
$answer = $cache->getOrLease('damaged');
var_dump(
    $answer->hit,
    is_int($answer->lease),
    $answer->answered,
    $cache->failures()[0]->kind,
    $cache->failures()[0]->key,
);
echo str_replace($server->address, 'SERVER', $cache->failures()[0]->message), "\n";
$server->ask("set damaged2 4 0 5\r\nO:3:{");
var_dump(
    $cache->get('damaged2', 'default'),
    $cache->getMultiple(['damaged2', 'key2']),
    count($cache->failures()),
    $cache->set('damaged', 'anew', lease: $answer->lease),
    $cache->get('damaged'),
);
?>
--EXPECT--
not me
not me
not me
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
enum(Larder\FailureKind::Unreadable)
string(7) "damaged"
"damaged": SERVER holds what is damaged or in no format that we know: see that all clients of this key have the same options
string(7) "default"
array(0) {
}
int(1)
enum(Larder\Outcome::Done)
string(4) "anew"
