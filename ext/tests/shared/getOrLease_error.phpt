--TEST--
getOrLease, lease: a lease lives longer than 0 seconds and at most a day
--EXTENSIONS--
larder
--FILE--
<?php
$memory = new Larder\SharedMemory();
foreach ([0, -1, NAN, INF, 86400.1] as $seconds) {
    foreach ([fn() => $memory->getOrLease('key', $seconds), fn() => $memory->lease('key', $seconds)] as $call) {
        try {
            $call();
            echo "no error for $seconds\n";
        } catch (ValueError $error) {
        }
    }
}
echo $error->getMessage(), "\n";
var_dump($memory->info()['leases'], is_int($memory->lease('key', 86400)));
?>
--EXPECT--
Larder\SharedMemory::lease(): Argument #2 ($seconds) must be greater than 0 and at most 86400
int(0)
bool(true)
