<?php

declare(strict_types=1);

/*
 * Readers in processes of their own on one key of a store, each round on a key of its own. Prints, as JSON by round,
 * the number of computes, of waits, of waits in vain, and the values handed out. No round is bound by time: a compute
 * ends when the others have come as far as the round says.
 *
 *     php -d extension=larder.so -d sys_temp_dir=DIRECTORY waiting.php STORE
 */

use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Exception\NotMadeInTime;
use Larder\Metrics\MemoryCounters;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\Seal;
use Larder\Store\SharedMemoryStore;
use Larder\Store\TieredStore;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Store\RedisServers;
use Larder\Tests\Support\Counted;

require __DIR__ . '/../../../../vendor/autoload.php';

if (ini_get('sys_temp_dir') === '') {
    throw new RuntimeException('Give -d sys_temp_dir=DIRECTORY: the leases of the host itself must stay as they are.');
}

// Other tests look at what is logged.
ini_set('error_log', '/dev/null');

const READERS = 20;
/** Seconds after which a round has failed. */
const PATIENCE = 60.0;

[, $kind] = $argv;
$servers = match ($kind) {
    'shared memory' => null,
    'redis', 'sealed' => new RedisServers(),
    default => new MemcachedServers(1),
};

/** The store as each process of an application opens it. */
$open = static function () use ($kind, $servers): Store {
    $far = match (true) {
        $servers instanceof MemcachedServers => MemcachedStore::on($servers->addresses(), 'waiting', timeout: 5000),
        $servers instanceof RedisServers => $servers->store(
            'predis',
            'waiting',
            seal: $kind === 'sealed' ? new Seal(base64_encode(str_repeat('w', 32))) : null,
        ),
        default => SharedMemoryStore::on('waiting'),
    };

    return $kind === 'tier' ? TieredStore::over(SharedMemoryStore::on('near'), $far) : $far;
};

$await = static function (Closure $done): void {
    for ($end = microtime(true) + PATIENCE; $done() !== true; usleep(1_000)) {
        if (microtime(true) > $end) {
            throw new RuntimeException('in vain');
        }
    }
};

$asked = static fn(Board $board): bool => $board->sum('asked') === READERS;

/**
 * @param Closure(Board, int, int, Cache): mixed $compute gets the board, the number of its process, which compute it
 *     is, and the cache
 * @param (Closure(Board): void)|null           $meanwhile runs in the parent
 * @param bool $together nobody asks before all can: a wait is bound by the lease
 *
 * @return array{int, int, int, array<string, int>} computes, waits, waits in vain, processes by what they got
 */
$round = static function (
    string $key,
    Settings $settings,
    Closure $compute,
    string $reads = '',
    int $times = 1,
    ?Closure $meanwhile = null,
    bool $together = false,
) use ($open, $await, $asked): array {
    $board = Board::create(
        ['computes' => READERS, 'inside' => READERS, 'asked' => READERS, 'done' => READERS, 'back' => 1],
    );
    $pool = new WorkerPool(static function (int $number) use (
        $board,
        $key,
        $settings,
        $compute,
        $reads,
        $times,
        $open,
        $await,
        $asked,
        $together,
    ): array {
        $counters = new MemoryCounters();
        $store = $open();
        $gates = new Gates($store, inTransaction: static fn(): bool => false);
        $cache = new Cache($store, $gates, $settings, counters: $counters);
        $board->set('asked', 1, $number);
        if ($together) {
            $await(static fn(): bool => $asked($board));
        }
        $value = '';
        for ($time = 0; $time < $times; ++$time) {
            $value = 'not made in time';
            try {
                $value = $cache->remember($key, static function () use ($board, $compute, $number, $cache): mixed {
                    $board->add('computes', 1, $number);
                    $board->set('inside', 1, $number);
                    $value = $compute($board, $number, $board->sum('computes'), $cache);
                    $board->set('inside', 0, $number);

                    return $value;
                }, 60.0, reads: $reads === '' ? [] : [$reads]);
            } catch (NotMadeInTime) {
            }
        }
        $board->set('done', 1, $number);
        $cache->flush();
        $all = Counted::by($counters);

        return [$all['larder_cache_waits_total'] ?? 0, $all['larder_cache_waits_in_vain_total'] ?? 0, $value];
    });
    $pool->fill(READERS);
    if ($meanwhile !== null) {
        $meanwhile($board);
    }
    $waits = $inVain = 0;
    $values = [];
    foreach ($pool->end(PATIENCE) as $end) {
        /** @var array{int, int, string} $result */
        $result = $end->result ?? [0, 0, $end->reason()];
        $waits += $result[0];
        $inVain += $result[1];
        $values[$result[2]] = ($values[$result[2]] ?? 0) + 1;
    }

    return [$board->sum('computes'), $waits, $inVain, $values];
};

$told = [];

$told['slow'] = $round('slow', new Settings(), static function (Board $board) use ($await, $asked): string {
    $await(static fn(): bool => $asked($board));
    usleep(20_000);

    return 'value';
});

$told['bounded'] = $round(
    'bounded',
    new Settings(wait: 0.05, afterWait: AfterWait::Fail),
    static function (Board $board) use ($await): string {
        $await(static fn(): bool => $board->sum('done') === READERS - 1);

        return 'value';
    },
);

$told['killed'] = $round(
    'killed',
    new Settings(lease: 2.0),
    static function (Board $board, int $number, int $compute): string {
        if ($compute === 1) {
            posix_kill(posix_getpid(), SIGKILL);
        }

        return 'value';
    },
    together: true,
);

// A writer that dies before its COMMIT. All readers are inside of the compute at once, as they are without a cache.
$writer = new WorkerPool(static function () use ($open): void {
    (new Cache($open()))->change(['news:4'], static fn(): bool => posix_kill(posix_getpid(), SIGKILL));
});
$writer->fill(1);
$writer->end(PATIENCE);
$together = static function (Board $board) use ($await): string {
    $await(static fn(): bool => $board->sum('inside') === READERS || $board->sum('done') > 0);

    return 'value';
};
$told['gate'] = $round('gate', new Settings(), $together, 'news:4');

// The data changes while each compute runs. Only the first one is waited for: nobody knows before what becomes of it.
// That is known for a second, so on a busy machine there are several first ones.
$move = static function (Board $board, int $number, int $compute, Cache $cache) use ($open): string {
    $cache->reads('news:5');
    usleep(5_000);
    (new Cache($open()))->change(['news:5'], static fn(): null => null);

    return 'value';
};
$began = microtime(true);
$told['moving'] = $round('moving', new Settings(), $move, times: 5);
$told['first ones'] = [1 + (int) (microtime(true) - $began)];

/*
 * Values that are made from each other, each by the process of its number. A lease is longer than any round may take.
 *
 * @param int ...$inner the number of the value that each is made from
 *
 * @return array{int, int, int, array<string, int>} computes of inner values, 0, 0, processes by what they got
 */
$nested = static function (string $name, int ...$inner) use ($open, $await): array {
    $count = count($inner);
    $board = Board::create(['inner' => $count, 'holding' => $count]);
    $pool = new WorkerPool(static function (int $number) use ($name, $count, $inner, $open, $board, $await): string {
        $store = $open();
        $gates = new Gates($store, inTransaction: static fn(): bool => false);
        $cache = new Cache($store, $gates, new Settings(lease: 2 * PATIENCE, early: 0.0));
        $made = static function () use ($board, $number): string {
            $board->add('inner', 1, $number);
            usleep(100_000);

            return 'inner';
        };

        return $cache->remember($name . $number, static function () use (
            $name,
            $number,
            $count,
            $inner,
            $board,
            $await,
            $cache,
            $made,
        ): string {
            $board->set('holding', 1, $number);
            $await(static fn(): bool => $board->sum('holding') === $count);
            $value = $cache->remember($name . $inner[$number], $made, 60.0);

            return str_contains($value, 'inner') ? 'made of an inner one' : $value;
        }, 60.0);
    });
    $pool->fill($count);
    $values = [];
    foreach ($pool->end(PATIENCE) as $end) {
        $value = is_string($end->result) ? $end->result : $end->reason();
        $values[$value] = ($values[$value] ?? 0) + 1;
    }

    return [$board->sum('inner'), 0, 0, $values];
};
foreach ([2, 3, 5] as $count) {
    $told["ring of $count"] = $nested("ring of $count: ", ...[...range(1, $count - 1), 0]);
}
$told['star'] = $nested('star ', ...array_fill(0, READERS, READERS));

if ($servers !== null) {
    // Who makes it is slower than the others wait. One of them makes it then, and no two at once.
    $most = Board::create(['inside' => READERS]);
    $told['late'] = $round(
        'late',
        new Settings(wait: 0.5),
        static function (Board $board, int $number, int $compute) use ($await, $most): string {
            $most->set('inside', $board->sum('inside'), $number);
            if ($compute === 1) {
                $await(static fn(): bool => $board->sum('done') === READERS - 1);
            }
            usleep(5_000);

            return 'value';
        },
    );
    $told['late at once'] = [$most->max('inside')];

    // The server goes, and comes back while one process makes the value.
    $outage = static function () use ($round, $servers, $await, $asked): array {
        $servers->kill(0);

        return $round(
            'outage',
            new Settings(),
            static function (Board $board, int $number, int $compute) use ($await): string {
                $await(static fn(): bool => $board->get('back') === 1);

                return 'value';
            },
            'news:6',
            meanwhile: static function (Board $board) use ($servers, $await, $asked): void {
                $await(static fn(): bool => $asked($board) && $board->sum('computes') > 0);
                usleep(100_000);
                $servers->restart(0);
                $board->set('back', 1);
            },
        );
    };
    $told['outage'] = $outage();
    $servers->kill(0);
    $told['ring of 3 without the server'] = $nested('ring ', 1, 2, 0);
    $servers->restart(0);
    // The same where the host has no directory that this user alone may write to.
    chmod(sys_get_temp_dir() . '/larder-' . posix_geteuid(), 0o777);
    $told['outage without a place'] = $outage();
    $servers->stop();
}

echo json_encode($told, JSON_THROW_ON_ERROR);
