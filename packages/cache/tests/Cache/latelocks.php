<?php

declare(strict_types=1);

/*
 * One process that asks for keys that are not there, while others write so much to the one shard of a segment that some
 * locks are not had in time, until so many plain writes beside them were refused. Prints, as JSON, how many values were
 * made and not stored meanwhile: of those that were asked for one by one, and of those that were asked for together.
 * The caches count that: a value that was stored may be displaced before anybody could look for it.
 *
 *     php -d extension=larder.so -d larder.lock_timeout=1 -d larder.size=2M latelocks.php REFUSED
 */

use Larder\Cache;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Store\SharedMemoryStore;
use Larder\Tests\Support\Counted;

require __DIR__ . '/../../../../vendor/autoload.php';

const WRITERS = 8;

$most = (int) $argv[1];
$memory = new Larder\SharedMemory('late locks');
$counters = ['one' => new MemoryCounters(), 'together' => new MemoryCounters()];
$caches = array_map(
    static fn(MemoryCounters $its): Cache => new Cache(SharedMemoryStore::on('late locks'), counters: $its),
    $counters,
);
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
$refused = 0;
for ($i = 0; $refused < $most; ++$i) {
    $refused += $memory->set("plain $i", 'value', 60.0) === Outcome::Done ? 0 : 1;
    $caches['one']->remember("one $i", static fn(): string => 'value', 60.0);
    $keys = ["first $i", "second $i", "third $i"];
    $caches['together']->rememberMultiple(
        $keys,
        static fn(array $keys): array => array_fill_keys($keys, 'value'),
        60.0,
    );
}
foreach ($writers as $writer) {
    posix_kill($writer, SIGKILL);
    pcntl_waitpid($writer, $status);
}
$lost = [];
foreach ($counters as $name => $its) {
    $caches[$name]->flush();
    $counts = Counted::by($its);
    $lost[$name] = ($counts['larder_cache_unstored_total{cause="refused"}'] ?? 0)
        + ($counts['larder_cache_unstored_total{cause="lost_lease"}'] ?? 0);
}
echo json_encode($lost, JSON_THROW_ON_ERROR);
