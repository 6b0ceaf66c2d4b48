--TEST--
memcache: with a list of classes no object of another one is made
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/pair.inc';

$server = MemcachedServer::unix();
foreach (['1', 'usual', '0', 'App\Price, Other'] as $setting) {
    echo "$setting\n", preg_replace('/ in Command line code on line \d+/', '', run_with(our_memcache(), '
        final class Gadget { public function __wakeup(): void { echo "woken\n"; } }
        final class Other {}
        spl_autoload_register(static function (string $class): void { echo "asked for $class\n"; });
        $memcache = new Memcache();
        $memcache->addServer("unix://' . substr($server->address, 5) . '", 0);
        $objects = ini_set("memcache.objects", "1");
        $memcache->set("gadget", [new Gadget()]);
        $memcache->set("other", new Other());
        $memcache->set("plain", [1]);
        ini_set("memcache.objects", $objects);
        foreach (["gadget", "other", "plain"] as $key) {
            echo get_debug_type(@$memcache->get($key)), " ";
        }
        echo json_encode(@array_keys($memcache->get(["gadget", "other", "plain"]))), "\n";
        var_dump($memcache->set("new", new Gadget()));
        $memcache->get("gadget");
    ', [], ['memcache.objects' => "'$setting'"])), "\n";
}
?>
--EXPECT--
1
woken
array Other array woken
["gadget","other","plain"]
bool(true)
woken

usual
bool bool array ["plain"]

Warning: MemcachePool::set(): could not serialize value, for the class Gadget in it is not allowed

Warning: MemcachePool::set(): Failed to serialize value
bool(false)

Warning: MemcachePool::get(): could not unserialize value, for the class Gadget in it is not allowed

Notice: MemcachePool::get(): Failed to unserialize data

0
bool bool array ["plain"]

Warning: MemcachePool::set(): could not serialize value, for the class Gadget in it is not allowed

Warning: MemcachePool::set(): Failed to serialize value
bool(false)

Warning: MemcachePool::get(): could not unserialize value, for the class Gadget in it is not allowed

Notice: MemcachePool::get(): Failed to unserialize data

App\Price, Other
bool Other array ["other","plain"]

Warning: MemcachePool::set(): could not serialize value, for the class Gadget in it is not allowed

Warning: MemcachePool::set(): Failed to serialize value
bool(false)

Warning: MemcachePool::get(): could not unserialize value, for the class Gadget in it is not allowed

Notice: MemcachePool::get(): Failed to unserialize data
