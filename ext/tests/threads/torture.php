<?php

declare(strict_types=1);

/*
 * One request of the torture by threads: torture.php THREAD ROUND MODE SECONDS SOCKET [NAME=SUM...]
 *
 * MODE is `requests`, which end after a moment, or `worker`: one that goes on for the SECONDS, as in a worker mode that
 * never ends a request. Sets, gets, counts and leases on keys that all threads share, in shared memory and on the
 * memcached server of the SOCKET. Values tell their key, so a get knows whether it was given another one's, or one that
 * changed while it was in use. Prints sums for host.c; THREAD -1 compares the counters with the sums.
 */

use Larder\Memcached;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;

const KEYS = 200;

/** A value that tells its key: $key, filled by $seed, of every kind that has a way of its own through the store. */
function value(string $key, int $seed): mixed
{
    $length = [10, 300, 3000, 20000][$seed % 4];
    return match (intdiv($seed, 4) % 4) {
        0 => $key . ':' . str_repeat(chr(97 + $seed % 26), $length),
        1 => ['key' => $key, 'fill' => str_repeat(chr(97 + $seed % 26), $length), 'sum' => $length],
        2 => ['key' => $key, 'rows' => array_fill(0, intdiv($length, 50), ['id' => $seed, 'title' => "title $seed"])],
        default => (object) ['key' => $key, 'list' => range($seed, $seed + 9)],
    };
}

/** Whether a value is one that value() makes for this key, every byte of it. */
function isWhole(string $key, mixed $value): bool
{
    if (is_string($value)) {
        [$of, $fill] = explode(':', $value, 2);
        return $of === $key && $fill !== '' && trim($fill, $fill[0]) === '';
    }
    if (is_object($value)) {
        return $value->key === $key && count($value->list) === 10 && $value->list[9] === $value->list[0] + 9;
    }
    if (!is_array($value) || $value['key'] !== $key) {
        return false;
    }
    if (isset($value['fill'])) {
        return strlen($value['fill']) === $value['sum'] && trim($value['fill'], $value['fill'][0]) === '';
    }
    foreach ($value['rows'] as $row) {
        if ($row !== $value['rows'][0] || $row['title'] !== "title {$row['id']}") {
            return false;
        }
    }
    return true;
}

/** Whether each thread has a timer of its own; else a limit of one would end the request of another. */
function hasTimers(): bool
{
    ob_start();
    phpinfo(INFO_GENERAL);
    return str_contains((string) ob_get_clean(), 'Zend Max Execution Timers => enabled');
}

/** What one request does and saw. */
final class Request
{
    /** @var array<string, int> */
    public array $sums = ['wrong' => 0, 'gets' => 0, 'hits' => 0, 'sets' => 0, 'leases' => 0, 'refused' => 0];
    /** @var list<array{string, mixed}> values that stay in use until the request ends */
    private array $kept = [];

    /** @param bool $dies it ends in the middle of things, and so must hold nothing that others wait for */
    public function __construct(
        private readonly string $place,
        private readonly Store $store,
        private readonly bool $dies,
    ) {}

    public function step(): void
    {
        $key = 'key ' . mt_rand(1, KEYS);
        $dice = mt_rand(1, 100);
        match (true) {
            $dice <= 55 => $this->read($key),
            $dice <= 65 => $this->readMany(),
            $dice <= 80 => $this->write($key),
            $dice <= 92 && !$this->dies => $this->count(),
            $dice <= 97 && !$this->dies => $this->compute(),
            default => $this->store->delete($key),
        };
    }

    private function read(string $key): void
    {
        $value = $this->store->get($key);
        $this->sums['gets']++;
        $this->judge($key, $value);
    }

    private function readMany(): void
    {
        $keys = array_map(static fn() => 'key ' . mt_rand(1, KEYS), range(1, 5));
        foreach ($this->store->getMultiple(array_values(array_unique($keys))) as $key => $value) {
            $this->sums['gets']++;
            $this->judge((string) $key, $value);
        }
    }

    private function judge(string $key, mixed $value): void
    {
        if ($value === null) {
            return;
        }
        $this->sums['hits']++;
        if (!isWhole($key, $value)) {
            $this->wrong("$key was another value");
        }
        if (count($this->kept) < 100) {
            $this->kept[] = [$key, $value];
        }
    }

    private function write(string $key): void
    {
        $outcome = $this->store->set($key, value($key, mt_rand(0, 1 << 20)));
        $this->sums['sets']++;
        $this->sums['refused'] += (int) ($outcome !== Outcome::Done);
    }

    private function count(): void
    {
        $counter = mt_rand(1, 5);
        if (is_int($this->store->increment("counter $counter", 1, 1))) {
            $this->sums["{$this->place}_counted"] = 1 + ($this->sums["{$this->place}_counted"] ?? 0);
        } else {
            $this->sums["{$this->place}_uncertain"] = 1 + ($this->sums["{$this->place}_uncertain"] ?? 0);
        }
    }

    /** One at a time holds a lease: while it does, nobody else can be in the room that it guards. */
    private function compute(): void
    {
        $key = 'leased ' . mt_rand(1, 5);
        $lease = $this->store->lease($key, 60.0);
        if ($lease === null) {
            return;
        }
        $this->sums['leases']++;
        if ($this->store->add("room of $key", 1) === Outcome::Exists) {
            $this->wrong("$key was leased to two");
        }
        $this->store->delete("room of $key");
        $this->store->release($key, $lease);
    }

    /** Values that were got early are still what they were. */
    public function lookAgain(): void
    {
        foreach ($this->kept as [$key, $value]) {
            if (!isWhole($key, $value)) {
                $this->wrong("$key changed while in use");
            }
        }
        $this->kept = [];
    }

    private function wrong(string $what): void
    {
        $this->sums['wrong']++;
        fwrite(fopen('php://stderr', 'w') ?: throw new RuntimeException('no stderr'), "{$this->place}: $what\n");
    }
}

[, $thread, $round, $mode, $seconds, $socket] = $argv;
$stores = [
    'memory' => new SharedMemory(),
    'memcached' => new Memcached("unix:$socket", prefix: PHP_SAPI . '.', timeout: 5000, shared: false),
];

if ($thread === '-1') {
    $sums = [];
    foreach (array_slice($argv, 6) as $argument) {
        [$name, $sum] = explode('=', $argument);
        $sums[$name] = (int) $sum;
    }
    foreach ($stores as $place => $store) {
        $there = 0;
        foreach (range(1, 5) as $counter) {
            $there += $store->get("counter $counter", 0);
        }
        // What was not answered may have been counted all the same.
        $lost = ($sums["{$place}_counted"] ?? 0) - $there;
        printf("%s_lost %d\n", $place, $lost < 0 ? max(0, -$lost - ($sums["{$place}_uncertain"] ?? 0)) : $lost);
    }
    $info = $stores['memory']->info();
    printf("evictions %d\nno_slot %d\nlock_timeouts %d\nsharing %d\nslots_used %d\n", $info['evictions'],
        $info['noSlot'], $info['lockTimeouts'], (int) ($info['mode'] === 'share'), $info['slotsUsed']);
    return;
}

mt_srand((int) $thread * 1000003 + (int) $round);
// One request in twenty ends in the middle of things: out of memory, or out of time where threads have a timer.
$ending = $mode === 'requests' ? mt_rand(1, 40) : 0;
if ($ending === 2 && !hasTimers()) {
    $ending = 0;
}
$requests = [];
foreach ($stores as $place => $store) {
    $requests[$place] = new Request($place, $store, $ending === 1 || $ending === 2);
}
register_shutdown_function(static function () use (&$requests): void {
    foreach ($requests as $request) {
        foreach ($request->sums as $name => $sum) {
            echo "$name $sum\n";
        }
    }
    $fatal = error_get_last()['message'] ?? '';
    if (preg_match('~^(Allowed memory size|Maximum execution time)~', $fatal) === 1) {
        echo "cut_short 1\n";
    } elseif ($fatal !== '') {
        echo str_replace("\n", ' ', $fatal) . "\n";
    }
});
if ($ending === 1) {
    ini_set('memory_limit', (string) (memory_get_usage() + 2_500_000));
} elseif ($ending === 2) {
    set_time_limit(1);
}
$hoard = [];
$until = microtime(true) + ($mode === 'worker' ? (float) $seconds : 0.02);
for ($steps = 0; microtime(true) < $until || $ending === 2; $steps++) {
    $requests[$steps % 8 === 0 ? 'memcached' : 'memory']->step();
    if ($ending === 1) {
        $hoard[] = str_repeat('x', 200_000);
    }
    if ($mode === 'worker' && $steps % 2000 === 0) {
        array_walk($requests, static fn(Request $request) => $request->lookAgain());
    }
}
array_walk($requests, static fn(Request $request) => $request->lookAgain());
