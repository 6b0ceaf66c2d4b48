--TEST--
larder.owner and larder.group: one segment for root and for other users
--EXTENSIONS--
larder
--SKIPIF--
<?php
$file = tempnam(sys_get_temp_dir(), 'larder');
if (!@chown($file, 65534) || trim((string) shell_exec('command -v setpriv')) === '') {
    echo 'skip needs root and setpriv';
}
unlink($file);
?>
--FILE--
<?php
require __DIR__ . '/process.inc';

/** What a user says who counts in the segment: as whom root starts a program, or root himself. */
function visit(string $who, array $settings): void
{
    [$user, $group] = explode(':', $who);
    $code = '$memory = new Larder\SharedMemory(); $info = $memory->info();'
        . ' echo $memory->increment("visits", initial: 1), " ", json_encode([$info["private"], $info["alone"]]), "\n";';
    echo $who, ' ', trim((string) shell_exec(
        "setpriv --reuid=$user --regid=$group --clear-groups " . php_command($settings) . ' -r ' . escapeshellarg($code)
            . ' 2>&1',
    )), "\n";
}

$directory = segment_directory();
chmod($directory, 01777);
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M', 'larder.share' => '1'];
ob_start(static fn(string $said): string => str_replace($directory, 'DIRECTORY', $said));

echo "-- owner\n";
$owned = ['larder.owner' => '65534'] + $named;
visit('65534:65534', $owned);
visit('0:0', $owned);
visit('65533:65533', $owned);
unlink("$directory/larder.web");

echo "-- owner and group\n";
$grouped = ['larder.group' => '65532'] + $owned;
visit('65533:65532', $grouped);
visit('0:0', $grouped);
visit('65534:65534', $grouped);
visit('65533:65532', $grouped);
visit('65533:65532', $owned);
printf("%o\n", fileperms("$directory/larder.web") & 0777);

echo "-- nobody\n";
visit('0:0', ['larder.owner' => 'no such user'] + $named);
visit('0:0', ['larder.group' => '-1'] + $named);
?>
--EXPECTF--
-- owner
65534:65534 1 [false,false]
0:0 2 [false,false]
65533:65533 Warning: PHP Startup: DIRECTORY/larder.web: the file belongs to user 65534 and this process runs as 65533; give each user a name of its own, or name the owner or the group that all agree on; this process and its children use a segment of their own in Unknown on line 0
1 [true,true]
-- owner and group
65533:65532 Warning: PHP Startup: DIRECTORY/larder.web: there is no such file; start what makes it first; this process and its children use a segment of their own in Unknown on line 0
1 [true,true]
0:0 1 [false,false]
65534:65534 2 [false,false]
65533:65532 3 [false,false]
65533:65532 Warning: PHP Startup: DIRECTORY/larder.web: the file is open to other users; chmod it to 0600, name the group that all agree on, or remove it when no process uses it; this process and its children use a segment of their own in Unknown on line 0
1 [true,true]
660
-- nobody
0:0 Warning: PHP Startup: larder.owner: there is no user "no such user"; this process and its children use a segment of their own in Unknown on line 0
1 [true,true]
0:0 Warning: PHP Startup: larder.group: there is no group "-1"; this process and its children use a segment of their own in Unknown on line 0
1 [true,true]
