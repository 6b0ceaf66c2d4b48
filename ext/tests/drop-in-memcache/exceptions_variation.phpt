--TEST--
memcache: a value that throws while it is serialized gives php-memcache's warning and the exception, and is not stored
--EXTENSIONS--
larder
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/pair.inc';

same_memcache(<<<'PHP'
    final class Refusing
    {
        public function __sleep(): array
        {
            throw new DomainException('no');
        }
    }

    $calls = [
        static fn() => $memcache->set('a', new Refusing()),
        static fn() => $memcache->set(['a' => new Refusing()]),
        static fn() => $memcache->set('a', static fn() => 1),
    ];
    foreach ($calls as $call) {
        try {
            var_dump($call());
        } catch (Exception $thrown) {
            echo $thrown::class, ': ', preg_replace('~[\w\\\\]*Closure~', 'Closure', $thrown->getMessage()), "\n";
        }
    }
    var_dump($memcache->get(['a']));
    PHP);
?>
--EXPECTF--

Warning: MemcachePool::set(): Failed to serialize value in Command line code on line %d
DomainException: no

Warning: MemcachePool::set(): Failed to serialize value in Command line code on line %d
DomainException: no

Warning: MemcachePool::set(): Failed to serialize value in Command line code on line %d
Exception: Serialization of 'Closure' is not allowed
array(0) {
}
the same, and 0 items
