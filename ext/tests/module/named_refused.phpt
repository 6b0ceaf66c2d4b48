--TEST--
A named segment that is damaged, another's or of another build: a warning, and a private one instead
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M', 'larder.share' => '1'];
$file = "$directory/larder.web";

/** What a process says that finds the file as `$damage` left it. */
function find(string $what, Closure $damage): void
{
    global $directory, $named, $file;
    @unlink($file);
    run_php('(new Larder\SharedMemory())->set("key", "from the file");', $named);
    $damage($file);
    clearstatcache();
    $before = is_link($file) || is_dir($file) ? '' : md5_file($file);
    $said = run_php(<<<'PHP'
        $memory = new Larder\SharedMemory();
        ['private' => $private, 'mode' => $mode, 'name' => $name, 'reason' => $reason] = $memory->info();
        $before = $memory->get('key');
        $outcome = $memory->set('key', 'mine')->name;
        echo json_encode([$private, $mode, $name, $reason !== '', $before, $outcome, $memory->get('key')]), "\n";
        PHP, $named);
    echo "-- $what\n", str_replace($directory, 'DIRECTORY', trim($said)), "\n";
    if ($before !== '' && $before !== md5_file($file)) {
        echo "the file has been written to\n";
    }
    @unlink($file);
}

/** Fields at their place in lrd_segment_header. */
function patch(string $file, int $place, string $bytes): void
{
    $handle = fopen($file, 'r+');
    fseek($handle, $place);
    fwrite($handle, $bytes);
    fclose($handle);
}

find('another magic', fn(string $file) => patch($file, 0, 'LARDER'));
find('a field changed', fn(string $file) => patch($file, 16, pack('P', 3 * 1024 * 1024)));
find('another stamp', function (string $file): void {
    patch($file, 32, 'another build');
    $header = file_get_contents($file, length: 104);
    patch($file, 104, strrev(hash('fnv1a64', substr($header, 0, 12) . substr($header, 16), true)));
});
find('open to others', fn(string $file) => chmod($file, 0644));
find('a symbolic link', function (string $file): void {
    rename($file, "$file.other");
    symlink("$file.other", $file);
});
find('a directory of that name', function (string $file): void {
    unlink($file);
    mkdir($file);
});
rmdir($file);
?>
--EXPECTF--
-- another magic
Warning: PHP Startup: DIRECTORY/larder.web: the file is not a segment; remove it when no process uses it; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
-- a field changed
Warning: PHP Startup: DIRECTORY/larder.web: the file is damaged: its header's checksum is wrong; remove it when no process uses it; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
-- another stamp
Warning: PHP Startup: DIRECTORY/larder.web: the file %s; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
-- open to others
Warning: PHP Startup: DIRECTORY/larder.web: the file is open to other users; chmod it to 0600, name the group that all agree on, or remove it when no process uses it; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
-- a symbolic link
Warning: PHP Startup: DIRECTORY/larder.web: the file is a symbolic link; name the file itself; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
-- a directory of that name
Warning: PHP Startup: DIRECTORY/larder.web: %s; this process and its children use a segment of their own in Unknown on line 0
[true,"share","",true,null,"Done","mine"]
