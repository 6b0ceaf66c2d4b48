--TEST--
set: what cannot be stored, or is no ttl, changes nothing
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

final class Refusing
{
    public function __serialize(): array
    {
        throw new DomainException('not me');
    }
}

$server = MemcachedServer::unix();
$cache = new Larder\Memcached($server->address, timeout: 5000);
$none = new Larder\Memcached($server->address, serializer: 'none', timeout: 5000);
$cache->set('key', 'before');
$version = $cache->read('key')->version;
$requests = $cache->info()[$server->address]['requests'];
foreach ([
    fn() => $cache->set('key', fn() => 1),
    fn() => $cache->set('key', new Refusing()),
    fn() => $cache->setMultiple(['key' => 'after', 'other' => new Refusing()]),
    fn() => $cache->casMultiple(['key' => new Refusing()], ['key' => $version]),
    fn() => $none->set('key', []),
    fn() => $cache->set('key', 1, NAN),
    fn() => $cache->setMultiple(['key' => 1], NAN),
    fn() => $cache->touch('key', NAN),
    fn() => $cache->set('key', 1, 'soon'),
    fn() => $cache->pipeline()->set('key', new Refusing()),
    fn() => $cache->pipeline()->add('key', 1, NAN),
] as $call) {
    try {
        var_dump($call());
    } catch (Throwable $error) {
        echo $error::class, ': ', substr($error->getMessage(), 0, 78), "\n";
    }
}
var_dump($requests === $cache->info()[$server->address]['requests'], $cache->get('key'), $cache->has('other'));
?>
--EXPECT--
Larder\Exception\UnstorableValue: $value is an object of class Closure, which cannot be serialized; null, bool, 
DomainException: not me
DomainException: not me
DomainException: not me
Larder\Exception\UnstorableValue: $value is of type array; with the serializer none only strings, integers, floa
ValueError: Larder\Memcached::set(): Argument #3 ($ttl) must not be NAN
ValueError: Larder\Memcached::setMultiple(): Argument #2 ($ttl) must not be NAN
ValueError: Larder\Memcached::touch(): Argument #2 ($ttl) must not be NAN
TypeError: Larder\Memcached::set(): Argument #3 ($ttl) must be of type ?float, string giv
DomainException: not me
ValueError: Larder\Pipeline::add(): Argument #3 ($ttl) must not be NAN
bool(true)
string(6) "before"
bool(false)
