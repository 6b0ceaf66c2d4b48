--TEST--
A named segment: unrelated processes see each other's values, sharing or copying
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

$directory = segment_directory();
$named = ['larder.directory' => $directory, 'larder.name' => 'web', 'larder.size' => '4M'];
echo run_php(
    '(new Larder\SharedMemory())->set("key", ["list" => [1, 2, 3], "text" => str_repeat("x", 20000), "when" => new '
        . 'DateTime("2020-01-02")]);',
    $named,
);
printf("%o %d\n", fileperms("$directory/larder.web") & 0777, filesize("$directory/larder.web"));
foreach (['1', '0'] as $share) {
    echo run_php(<<<'PHP'
        $memory = new Larder\SharedMemory();
        ['mode' => $mode, 'private' => $private, 'size' => $size, 'name' => $name] = $memory->info();
        $value = $memory->get('key');
        echo "$mode ", json_encode($private), " $size ", basename($name), ' ';
        echo array_sum($value['list']), ' ', strlen($value['text']), ' ', $value['when']->format('Y'), ' ';
        echo $memory->increment('visits', initial: 1), "\n";
        PHP, ['larder.share' => $share, 'larder.size' => '64M'] + $named);
}
?>
--EXPECT--
600 4194304
share false 4194304 larder.web 6 20000 2020 1
copy false 4194304 larder.web 6 20000 2020 2
