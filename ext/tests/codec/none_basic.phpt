--TEST--
Values: the serializer none keeps strings as they are, refuses what needs one and unserializes nothing
--EXTENSIONS--
larder
zlib
--FILE--
<?php
require __DIR__ . '/raw.inc';

$server = MemcachedServer::unix();
$raw = new Raw($server);
$cache = new Larder\Memcached($server->address, serializer: 'none', timeout: 5000);
foreach (['7', serialize([1]), "\0\1", 7, 1.5, true, false, ''] as $value) {
    $cache->set('key', $value);
    [$bytes, $flags] = $raw->get('key');
    echo json_encode($bytes), " $flags ", $cache->get('key') === $value ? 'same' : 'different', "\n";
}
foreach ([null, [], new stdClass()] as $value) {
    try {
        $cache->set('key', $value);
        echo "stored\n";
    } catch (Larder\Exception\UnstorableValue $error) {
        echo $error->getMessage(), "\n";
    }
}
/* What others serialized is not read. */
final class Woken
{
    public function __wakeup(): void
    {
        echo "woken\n";
    }
}
$gadget = 'O:5:"Woken":0:{}';
foreach ([[$gadget, 4], [$gadget, 1], [pack('V', strlen($gadget)) . gzcompress($gadget), 0x34], ['[7]', 6]] as $put) {
    $raw->set('key', ...$put);
    echo json_encode($cache->get('key', 'miss')), ' ', $cache->failures()[0]->kind->name, "\n";
}
foreach ([true, false] as $value) {
    $bools = new Larder\Memcached($server->address, layout: 'memcache', serializer: 'none', timeout: 5000);
    $bools->set('key', $value);
    echo json_encode($bools->get('key')), "\n";
}
?>
--EXPECT--
"7" 0 same
"a:1:{i:0;i:1;}" 0 same
"\u0000\u0001" 0 same
"7" 1 same
"1.5" 2 same
"1." 3 same
"" 3 same
"" 65536 same
$value is of type null; with the serializer none only strings, integers, floats and booleans can be stored: serialize it before, or configure another serializer
$value is of type array; with the serializer none only strings, integers, floats and booleans can be stored: serialize it before, or configure another serializer
$value is of type stdClass; with the serializer none only strings, integers, floats and booleans can be stored: serialize it before, or configure another serializer
"miss" Unreadable
"miss" Unreadable
"miss" Unreadable
"miss" Unreadable
true
false
