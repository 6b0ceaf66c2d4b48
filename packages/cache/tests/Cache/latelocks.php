<?php

declare(strict_types=1);

/*
 * One process that asks for keys that are not there, while others write so much to the one shard of a segment that some
 * locks are not had in time, until so many plain writes beside them were refused. Prints how many values were not
 * stored meanwhile.
 *
 *     php -d extension=larder.so -d larder.lock_timeout=1 -d larder.size=2M latelocks.php REFUSED
 */

use Larder\Cache;
use Larder\Outcome;
use Larder\Store\SharedMemoryStore;

require __DIR__ . '/../../../../vendor/autoload.php';

const WRITERS = 8;

$most = (int) $argv[1];
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
$refused = $lost = 0;
for ($i = 0; $refused < $most; ++$i) {
    $refused += $memory->set("plain $i", 'value', 60.0) === Outcome::Done ? 0 : 1;
    $cache->remember("one $i", static fn(): string => 'value', 60.0);
    $lost += $memory->has("one $i") ? 0 : 1;
}
foreach ($writers as $writer) {
    posix_kill($writer, SIGKILL);
    pcntl_waitpid($writer, $status);
}
echo $lost;
