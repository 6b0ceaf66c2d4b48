--TEST--
Values: the serializer none keeps strings as they are and refuses what needs one
--EXTENSIONS--
larder
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
foreach (['a:1:{i:0;N;}' => 4, '[null]' => 6] as $bytes => $flags) {
    $raw->set('key', $bytes, $flags);
    echo json_encode($cache->get('key', 'a miss')), ' ', $cache->failures()[0]->message, "\n";
}
?>
--EXPECTF--
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
"a miss" "key": %s holds what is damaged or in no format that we know: see that all clients of this key have the same options (the serializer php wrote it, and ours is none)
"a miss" "key": %s holds what is damaged or in no format that we know: see that all clients of this key have the same options (the serializer json wrote it, and ours is none)
