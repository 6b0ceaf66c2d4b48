--TEST--
increment, decrement: what is no integer, or would leave its range, stays as it is
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
foreach (['1', 1.0, null, true, [1]] as $value) {
    $memory->set('key', $value);
    var_dump($memory->increment('key', 1, 5), $memory->get('key') === $value);
}
$memory->set('top', PHP_INT_MAX);
$memory->set('bottom', PHP_INT_MIN);
var_dump(
    $memory->increment('top'),
    $memory->decrement('bottom'),
    $memory->increment('top', PHP_INT_MIN),
    $memory->get('bottom') === PHP_INT_MIN,
);
try {
    $memory->decrement('top', PHP_INT_MIN);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
enum(Larder\Outcome::Exists)
bool(true)
enum(Larder\Outcome::Exists)
bool(true)
enum(Larder\Outcome::Exists)
bool(true)
enum(Larder\Outcome::Exists)
bool(true)
enum(Larder\Outcome::Exists)
bool(true)
enum(Larder\Outcome::Exists)
enum(Larder\Outcome::Exists)
int(-1)
bool(true)
Larder\SharedMemory::decrement(): Argument #2 ($by) must be greater than PHP_INT_MIN
