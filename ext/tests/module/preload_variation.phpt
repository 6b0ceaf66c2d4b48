--TEST--
Preloading copies: what it keeps outlives every pin
--EXTENSIONS--
larder
opcache
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
file_put_contents("$directory/preload.php", <<<'PHP'
    <?php
    $memory = new Larder\SharedMemory();
    $memory->set('key', [1, 2, 3]);
    $value = $memory->get('key');
    ['mode' => $mode, 'reason' => $reason, 'oldestPinAge' => $age] = $memory->info();
    file_put_contents(__DIR__ . '/said', json_encode([$mode, $reason, $age, $value]));
    PHP);
$user = function_exists('posix_getpwuid') ? posix_getpwuid(posix_geteuid())['name'] : 'root';
echo run_php('["mode" => $mode, "oldestPinAge" => $age] = (new Larder\SharedMemory())->info(); echo "$mode $age ", '
    . 'json_encode((new Larder\SharedMemory())->get("key")), "\n";', [
    'opcache.enable_cli' => '1',
    'opcache.preload' => "$directory/preload.php",
    'opcache.preload_user' => $user,
    'larder.share' => '1',
]);
echo file_get_contents("$directory/said"), "\n";
?>
--EXPECT--
share 0 [1,2,3]
["copy","preloading",0,[1,2,3]]
