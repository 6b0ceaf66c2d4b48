--TEST--
larder.size: at least 2 MB; more than the system has is no store
--EXTENSIONS--
larder
--FILE--
<?php
require __DIR__ . '/process.inc';

echo run_php('echo (new Larder\SharedMemory())->info()["size"];', ['larder.size' => '1']), "\n";
echo run_php('echo (new Larder\SharedMemory())->info()["size"];', ['larder.size' => '3M']), "\n";
echo run_php(
    'try { new Larder\SharedMemory(); } catch (Larder\Exception\SharedMemoryUnavailable $e) { echo $e::class; }',
    ['larder.size' => '4000000G'],
), "\n";
echo run_php(
    'try { new Larder\SharedMemory(); } catch (Larder\Exception\SharedMemoryUnavailable $e) { echo $e::class; }',
    ['larder.shards' => '3'],
), "\n";
?>
--EXPECTF--
2097152
3145728

Warning: PHP Startup: %s in Unknown on line 0
Larder\Exception\SharedMemoryUnavailable

Warning: PHP Startup: %s in Unknown on line 0
Larder\Exception\SharedMemoryUnavailable
