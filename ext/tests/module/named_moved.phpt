--TEST--
A named segment that cannot lie at its address: read and written all the same, by copying
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$named = [
    'larder.directory' => segment_directory(),
    'larder.name' => 'web',
    'larder.size' => '4M',
    'larder.share' => '1',
];
$value = '["list" => [1, [2, ["three" => true]]], "text" => str_repeat("x", 20000), "again" => "list", "case" => '
    . 'Larder\Outcome::Done, [], ""]';
echo run_php('(new Larder\SharedMemory())->set("there", ' . $value . ');', $named);
echo run_php(<<<PHP
    \$memory = new Larder\SharedMemory();
    ['mode' => \$mode, 'reason' => \$reason, 'private' => \$private] = \$memory->info();
    echo "\$mode (\$reason) ", json_encode(\$private), "\n";
    var_dump(\$memory->get('there') === $value, \$memory->info()['oldestPinAge']);
    \$memory->set('here', \$memory->get('there'));
    var_dump(\$memory->get('here') === $value);
    PHP, ['larder.base' => '0'] + $named);
echo run_php(
    '$memory = new Larder\SharedMemory(); var_dump($memory->info()["mode"], $memory->get("here") === ' . $value . ');',
    $named,
);
?>
--EXPECT--
copy (the segment's address is taken in this process, or larder.base is another) false
bool(true)
float(0)
bool(true)
string(5) "share"
bool(true)
