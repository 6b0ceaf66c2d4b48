<?php

declare(strict_types=1);

/*
 * One process that asks for keys that are not there, while others write so much to the one shard of a segment that no
 * lock comes in time at once. Prints how many values were not stored, of one call each and of one call for many.
 *
 *     php -d extension=larder.so -d larder.lock_timeout=1 -d larder.size=2M latelocks.php KEYS
 */

use Larder\Cache;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

const WRITERS = 8;

$keys = (int) $argv[1];
$memory = new Larder\SharedMemory('late locks');
$cache = new Cache(SharedMemoryStore::on('late locks'));
$writers = [];
for ($i = 0; $i < WRITERS; ++$i) {
    $writer = pcntl_fork();
    if ($writer === 0) {
        for ($value = range(1, 3000); posix_getppid() !== 1;) {
            $memory->set('written ' . $i % 2, $value);
        }
        posix_kill(posix_getpid(), SIGKILL);
    }
    $writers[] = $writer;
}
while (($memory->info()['lockTimeouts'] ?? 0) < 100) {
    usleep(1_000);
}
$lost = [0, 0];
for ($i = 0; $i < $keys; ++$i) {
    $cache->remember("one $i", static fn(): string => 'value', 60.0);
    $lost[0] += $memory->has("one $i") ? 0 : 1;
    $cache->rememberMultiple(
        ["many $i", "more $i"],
        static fn(array $keys): array => array_fill_keys($keys, 'value'),
        60.0,
    );
    $lost[1] += $memory->has("many $i") && $memory->has("more $i") ? 0 : 1;
}
foreach ($writers as $writer) {
    posix_kill($writer, SIGKILL);
    pcntl_waitpid($writer, $status);
}
echo json_encode($lost, JSON_THROW_ON_ERROR);
