--TEST--
A value that throws when it is read is a miss, and who has its lease may make it anew
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
$cache = new Larder\Memcached($server->address, shared: false, timeout: 5000, objects: true);
$cache->set('key', new Throwing());
$cache->markStale('key', 60);
$answer = $cache->getOrLease('key', 60);
var_dump($answer->hit, is_int($answer->lease), $cache->failures()[0]->kind);
echo str_replace($server->address, 'SERVER', $cache->failures()[0]->message), "\n";
/* Nobody else gets it meanwhile, alone or among others. */
var_dump($cache->getOrLease('key', 60)->lease);
$answers = $cache->pipeline()->getOrLease('first', 60)->getOrLease('key', 60)->lease('third', 60)->run();
var_dump(is_int($answers[0]->lease), $answers[1]->hit, $answers[1]->lease, is_int($answers[2]));
var_dump($cache->set('key', 'anew', lease: $answer->lease), $cache->get('key'));

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
bool(false)
bool(true)
enum(Larder\FailureKind::ClassChanged)
"key": SERVER holds an object that its class does not take any more: have it made anew, or let the class read what earlier ones wrote (DomainException: not me)
NULL
bool(true)
bool(false)
NULL
bool(true)
enum(Larder\Outcome::Done)
string(4) "anew"
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
