--TEST--
A lease is lost by a write to its key, by delete, by clear and by its deadline
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
$ends = [
    'set' => fn() => $memory->set('key', 1),
    'add' => fn() => $memory->add('key', 1),
    'delete' => fn() => $memory->delete('key'),
    'deleteMultiple' => fn() => $memory->deleteMultiple(['key']),
    'clear' => fn() => $memory->clear(),
    'deadline' => fn() => usleep(120000),
];
foreach ($ends as $name => $end) {
    $memory->delete('key');
    $lease = $memory->lease('key', 0.1);
    $end();
    $free = $memory->lease('key');
    printf(
        "%s: %s %s %s\n",
        $name,
        $memory->set('key', 'late', lease: $lease)->name,
        json_encode($memory->release('key', $lease)),
        is_int($free) ? 'free' : 'held',
    );
}
?>
--EXPECT--
set: Exists false free
add: Exists false free
delete: Exists false free
deleteMultiple: Exists false free
clear: Exists false free
deadline: Exists false free
