--TEST--
Complaint 15: what is written does not depend on what else is installed; foreign values are read or reported unreadable
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = MemcachedServer::unix();
$at = var_export($server->address, true);
$value = ['a' => [1, 2.5, null, true], 'b' => str_repeat('b', 3000)];
$write = "(new Larder\\Memcached($at))->set('key', " . var_export($value, true) . ');';
$seen = [];
/* By a PHP that has igbinary and msgpack, and by one that has not. */
foreach (['', '-d extension=igbinary -d extension=msgpack'] as $more) {
    shell_exec(php_command([]) . " $more -r " . escapeshellarg($write) . ' 2>&1');
    $seen[] = $server->ask('mg key f v');
}
var_dump($seen[0] === $seen[1], str_contains($seen[0], serialize($value)));
/* Each reads what the other has written, but json, which knows no classes, nothing but json. */
$formats = [['serializer' => 'php'], ['serializer' => 'json'], ['serializer' => 'php', 'compressor' => 'zlib'], [
    'serializer' => 'json',
    'compressor' => 'zlib',
],
    ['serializer' => 'php', 'layout' => 'memcache', 'compressor' => 'zlib']];
foreach ($formats as $ours) {
    (new Larder\Memcached($server->address, ...$ours, timeout: 5000))->set('key', $value);
    foreach ($formats as $theirs) {
        $is_read = $theirs['serializer'] === 'php' || $ours['serializer'] === 'json';
        $read = (new Larder\Memcached($server->address, ...$theirs, timeout: 5000))->get('key', 'a miss');
        if ($read != ($is_read ? $value : 'a miss')) {
            echo json_encode([$ours, $theirs]), "\n";
        }
    }
}
/* In a format that is not installed here: no value, and it is said which key. */
$flags = ['igbinary' => 5, 'nothing known' => 0xf, 'fastlz, cut off' => 0x54, 'zlib, damaged' => 0x34];
foreach ($flags as $name => $flag) {
    $server->ask("set key $flag 0 8\r\n\x90\x1f\0\0\xff\0\1\2");
    $cache = new Larder\Memcached($server->address, timeout: 5000);
    echo $name, ': ', json_encode($cache->get('key', 'default')), ' ', implode(
        ' ',
        array_map(fn($failure) => "{$failure->kind->name} $failure->key", $cache->failures()),
    ), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
igbinary: "default" Unreadable key
nothing known: "default" Unreadable key
fastlz, cut off: "default" Unreadable key
zlib, damaged: "default" Unreadable key
