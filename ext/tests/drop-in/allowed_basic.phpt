--TEST--
memcached: with a list of classes no object of another one is made, and the call says RES_PAYLOAD_FAILURE
--EXTENSIONS--
larder
igbinary
msgpack
--FILE--
<?php
require __DIR__ . '/drop_in.inc';

const CODE = <<<'PHP'
    final class Gadget { public function __wakeup(): void { echo "woken\n"; } }
    final class Other { public int $number = 1; }
    spl_autoload_register(static function (string $class): void { echo "asked for $class\n"; });
    $open = static function (mixed $objects = null) use ($path): Memcached {
        $memcached = new Memcached();
        $memcached->addServer($path, 0);
        if ($objects !== null) {
            var_dump($memcached->setOption(Memcached::OPT_OBJECTS, $objects));
        }
        return $memcached;
    };
    $writer = $open(true);
    $numbers = [Memcached::SERIALIZER_PHP, Memcached::SERIALIZER_IGBINARY, Memcached::SERIALIZER_MSGPACK];
    foreach ($numbers as $number) {
        $writer->setOption(Memcached::OPT_SERIALIZER, $number);
        $writer->setMulti(["gadget$number" => [new Gadget()], "other$number" => new Other(), "plain$number" => [1]]);
    }
    $by_igbinary = $open();
    $by_igbinary->setOption(Memcached::OPT_SERIALIZER, Memcached::SERIALIZER_IGBINARY);
    $by_igbinary->set('evil', 1);
    foreach ([null, false, [], ['\other']] as $objects) {
        $memcached = $open($objects);
        echo json_encode($memcached->getOption(Memcached::OPT_OBJECTS)), "\n";
        foreach ($numbers as $number) {
            $memcached->setOption(Memcached::OPT_SERIALIZER, $number);
            foreach (['gadget', 'other', 'plain'] as $name) {
                echo "$name ", get_debug_type(@$memcached->get("$name$number")), ' ', $memcached->getResultCode(), "\n";
            }
            $keys = ["gadget$number", "other$number", "plain$number"];
            echo json_encode(@array_keys($memcached->getMulti($keys))), ' ', $memcached->getResultCode(), "\n";
            @$memcached->getDelayed($keys);
            echo 'delayed ', json_encode(@$memcached->fetchAll() !== false), ' ', $memcached->getResultCode(), "\n";
            echo 'set ', json_encode(@$memcached->set("new$number", [new Gadget()])), ' ', $memcached->getResultCode();
            echo ' ', json_encode(@$memcached->set("new$number", new Other())), ' ', $memcached->getResultCode(), "\n";
        }
    }
    $memcached = $open(false);
    $memcached->get('gadget1');
    $memcached->set('new', new Gadget());
    var_dump($memcached->setOption(Memcached::OPT_OBJECTS, 'Gadget'), $memcached->getResultCode());
    PHP;

$server = MemcachedServer::unix();
$path = '$path = ' . var_export(substr($server->address, 5), true) . ';';
$said = run_with(ours(), $path . CODE);
echo preg_replace('/ in Command line code on line \d+/', '', $said);
foreach (['usual', '0', 'App\Price, Other', '1'] as $setting) {
    echo "$setting: ", run_with(ours(), $path . '
        final class Other {}
        final class Gadget {}
        $memcached = new Memcached();
        $memcached->addServer($path, 0);
        foreach (["gadget1", "other1", "plain1"] as $key) {
            echo get_debug_type(@$memcached->get($key)), " ";
        }
        echo json_encode($memcached->getOption(Memcached::OPT_OBJECTS)), "\n";
    ', [], ['memcached.objects' => "'$setting'"]);
}
?>
--EXPECT--
bool(true)
true
gadget woken
array 0
other Other 0
plain array 0
woken
["gadget1","other1","plain1"] 0
delayed woken
true 0
set true 0 true 0
gadget woken
array 0
other Other 0
plain array 0
woken
["gadget2","other2","plain2"] 0
delayed woken
true 0
set true 0 true 0
gadget array 0
other Other 0
plain array 0
["gadget5","other5","plain5"] 0
delayed true 0
set true 0 true 0
bool(true)
false
gadget bool -1001
other bool -1001
plain array 0
["plain1"] -1001
delayed false -1001
set false -1001 false -1001
gadget bool -1001
other bool -1001
plain array 0
["plain2"] -1001
delayed false -1001
set false -1001 false -1001
gadget bool -1001
other bool -1001
plain array 0
["plain5"] -1001
delayed false -1001
set false -1001 false -1001
bool(true)
["stdclass","datetime","datetimeimmutable","datetimezone","dateinterval","arrayobject"]
gadget bool -1001
other bool -1001
plain array 0
["plain1"] -1001
delayed false -1001
set false -1001 false -1001
gadget bool -1001
other bool -1001
plain array 0
["plain2"] -1001
delayed false -1001
set false -1001 false -1001
gadget bool -1001
other bool -1001
plain array 0
["plain5"] -1001
delayed false -1001
set false -1001 false -1001
bool(true)
["stdclass","datetime","datetimeimmutable","datetimezone","dateinterval","arrayobject","other"]
gadget bool -1001
other Other 0
plain array 0
["other1","plain1"] -1001
delayed false -1001
set false -1001 true 0
gadget bool -1001
other Other 0
plain array 0
["other2","plain2"] -1001
delayed false -1001
set false -1001 true 0
gadget bool -1001
other Other 0
plain array 0
["other5","plain5"] -1001
delayed false -1001
set false -1001 true 0
bool(true)

Warning: Memcached::get(): could not unserialize value, for the class Gadget in it is not allowed

Warning: Memcached::set(): could not serialize value, for the class Gadget in it is not allowed

Warning: Memcached::setOption(): OPT_OBJECTS must be true, false or a list of classes
bool(false)
int(38)
usual: bool bool array ["stdclass","datetime","datetimeimmutable","datetimezone","dateinterval","arrayobject","usual"]
0: bool bool array false
App\Price, Other: bool Other array ["stdclass","datetime","datetimeimmutable","datetimezone","dateinterval","arrayobject","app\\price","other"]
1: array Other array true
