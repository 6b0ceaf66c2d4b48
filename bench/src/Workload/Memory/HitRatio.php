<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use InvalidArgumentException;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Check\Verifier;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Value\SealedBytes;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Gets, and on a miss a set, of values of one size in a cache that cannot hold them all: how many are hits, and how
 * many would be hits in an ideal cache of as many keys as the subject held in the end.
 *
 * Parameters: `keys`, how many there are; `size`, bytes of a value; `requests`; and `pattern`: `zipf` (0.99) or `scan`.
 * In a scan, after every stretch of such requests as long as a twentieth of the keys, a fortieth of the keys is read in
 * order, as by an export or a crawler; the next of these goes on where the last one ended.
 */
final readonly class HitRatio implements Workload
{
    private const SIZE = 1000;
    private const KEYS = 95_000;
    private const REQUESTS = 1_000_000;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(KeyValue::class) && $subject->can(MemoryReporting::class)
            ? null
            : 'has no account of its memory';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each subject starts empty.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $store = ($subject->make)();
        \assert($store instanceof KeyValue && $store instanceof MemoryReporting);
        $store->connect($job->context());
        $requests = self::requests($job);
        $latency = new Histogram();
        $pid = [posix_getpid()];
        $cpu = Cpu::of($pid);
        $begin = hrtime(true);
        $hits = self::hits($store, $job->prefix, $requests, $job->int('size', self::SIZE), $latency);
        $seconds = (hrtime(true) - $begin) / 1e9;
        $cpu = Cpu::of($pid) - $cpu;
        $usage = $store->usage();
        $entries = $usage->entries ?? throw new NotApplicable('has no account of its memory');
        if ($usage->evictions === 0) {
            throw new NotApplicable('holds all of them');
        }
        $ratios = [
            'hits' => $hits / \count($requests),
            'LRU' => self::simulated(IdealCache::lru($entries), $requests),
            'SIEVE' => self::simulated(IdealCache::sieve($entries), $requests),
        ];
        $extra = [
            'hits, %' => 100.0 * $ratios['hits'],
            'keys held, %' => 100.0 * $entries / $job->int('keys', self::KEYS),
            'keys held' => (float) $entries,
            $usage->eviction => (float) $usage->evictions,
        ];
        foreach (['SIEVE', 'LRU'] as $policy) {
            $extra[$policy . ' of as many keys, %'] = 100.0 * $ratios[$policy];
            $extra['points above ' . $policy] = 100.0 * ($ratios['hits'] - $ratios[$policy]);
        }
        $store->close();

        return new Measured(
            new Window(
                $job->block,
                0,
                $seconds,
                \count($requests),
                0,
                \count($requests) * $job->int('size', self::SIZE),
                $cpu,
                0.0,
                [\count($requests)],
            ),
            $latency,
            extra: $extra,
            coverage: Coverage::every(\count($requests)),
        );
    }

    /** @param list<int> $requests */
    private static function hits(
        KeyValue $store,
        string $prefix,
        array $requests,
        int $size,
        Histogram $latency,
    ): int {
        $seal = new SealedBytes();
        $verifier = new Verifier($seal, true);
        $hits = 0;
        foreach ($requests as $number) {
            $key = \sprintf('%s%07d', $prefix, $number);
            $begin = hrtime(true);
            $value = $store->get($key);
            if ($value === null) {
                $store->set($key, $seal->value($key, $number, $size));
            } else {
                $verifier->value($key, $value, $number, $number);
                ++$hits;
            }
            $latency->record(hrtime(true) - $begin);
        }

        return $hits;
    }

    /**
     * @return list<int> keys, from 0 to below `keys`, in the order in which they are asked for; a seed gives one order
     */
    public static function requests(Job $job): array
    {
        $keys = $job->int('keys', self::KEYS);
        $number = $job->int('requests', self::REQUESTS);
        $scanned = match ($pattern = $job->string('pattern', 'zipf')) {
            'zipf' => 0,
            'scan' => intdiv($keys, 40),
            default => throw new InvalidArgumentException(
                \sprintf('There is no pattern "%s". There are: zipf, scan.', $pattern),
            ),
        };
        $random = new Randomizer(new Xoshiro256StarStar($job->seed));
        $zipf = Distribution::zipf($keys, 0.99);
        // Popular keys lie anywhere among the others: in order of rank, a scan would begin with those that are in the
        // cache.
        $named = $random->shuffleArray(range(0, $keys - 1));
        $requests = [];
        for ($at = $done = 0; $done < $number; ++$done) {
            $scans = $scanned > 0 && $done % (3 * $scanned) >= 2 * $scanned;
            $requests[] = $scans ? $at++ % $keys : $named[$zipf->next($random)];
        }

        return $requests;
    }

    /** @param list<int> $requests */
    private static function simulated(IdealCache $cache, array $requests): float
    {
        $hits = 0;
        foreach ($requests as $number) {
            $hits += $cache->request($number) ? 1 : 0;
        }

        return $hits / \count($requests);
    }
}
