--TEST--
pcntl_fork while values are held: the child's stay whole after the parent's request has ended
--EXTENSIONS--
larder
--SKIPIF--
<?php
if (!function_exists('pcntl_fork')) {
    echo 'skip needs pcntl';
}
?>
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '2M', 'larder.share' => '1'];

/* The middle process reads, forks and ends; its child goes on with what it has inherited. */
$pid = run_php(<<<PHP
    \$memory = new Larder\SharedMemory();
    \$memory->set('held', array_fill(0, 2000, 'a string to be kept'));
    \$held = \$memory->get('held');
    \$child = pcntl_fork();
    if (\$child !== 0) {
        echo \$child;
        exit;
    }
    fclose(STDOUT);
    fclose(STDERR);
    while (!file_exists('$directory/go')) {
        usleep(1000);
    }
    \$info = \$memory->info();
    \$pinned = \$info['oldestPinProcess'] === getmypid() && \$info['oldestPinAge'] > 0.1;
    file_put_contents('$directory/said.new', md5(serialize(\$held)) . (\$pinned ? ' pinned' : ' not pinned'));
    rename('$directory/said.new', '$directory/said');
    PHP, $named);

/* Everything is written over that may be. */
echo run_php(<<<'PHP'
    $memory = new Larder\SharedMemory();
    $refused = 0;
    for ($i = 0; $i < 3000; $i++) {
        $outcome = $memory->set($i % 2 ? 'held' : "key $i", array_fill(0, 500, "other $i"));
        $refused += (int) ($outcome === Larder\Outcome::Refused);
    }
    echo 'writes refused while the values are held: ', $refused > 100 ? 'many' : $refused, "\n";
    PHP, $named);
usleep(100000);
touch("$directory/go");
for ($tries = 0; $tries < 1000 && !file_exists("$directory/said"); $tries++) {
    usleep(10000);
    clearstatcache();
}
[$hash, $pin] = explode(' ', file_get_contents("$directory/said"), 2);
$is_whole = $hash === md5(serialize(array_fill(0, 2000, 'a string to be kept')));
echo "the child's values: ", $is_whole ? 'whole' : 'overwritten', "\nthe child: $pin\n";
?>
--EXPECT--
writes refused while the values are held: many
the child's values: whole
the child: pinned
