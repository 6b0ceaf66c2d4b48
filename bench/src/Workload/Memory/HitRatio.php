<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Check\Seal;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;

/**
 * Gets, and on a miss a set, of values of one size in a cache that cannot hold them all: how many are hits, and how many would have
 * been in an ideal cache of as many keys as the subject held in the end. Parameters: those of Requests.
 */
final readonly class HitRatio implements Workload
{
    private const SIZE = 1000;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(KeyValue::class) && $subject->can(MemoryReporting::class) ? null : 'has no account of its memory';
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
        $requests = Requests::of($job);
        $latency = new Histogram();
        $pid = [posix_getpid()];
        $cpu = Cpu::of($pid);
        $begin = hrtime(true);
        $hits = self::hits($store, $job->prefix, $requests, $latency);
        $seconds = (hrtime(true) - $begin) / 1e9;
        $cpu = Cpu::of($pid) - $cpu;
        $usage = $store->usage();
        $entries = $usage->entries ?? throw new NotApplicable('has no account of its memory');
        if ($usage->evictions === 0) {
            throw new NotApplicable('holds all of them');
        }
        $ratios = ['hits' => $hits / \count($requests), 'LRU' => self::simulated(new Lru($entries), $requests), 'SIEVE' => self::simulated(new Sieve($entries), $requests)];
        $extra = ['hits, %' => 100.0 * $ratios['hits'], 'keys held, %' => 100.0 * $entries / $job->int('keys', Requests::KEYS), 'keys held' => (float) $entries, $usage->eviction => (float) $usage->evictions];
        foreach (['SIEVE', 'LRU'] as $policy) {
            $extra[$policy . ' of as many keys, %'] = 100.0 * $ratios[$policy];
            $extra['points above ' . $policy] = 100.0 * ($ratios['hits'] - $ratios[$policy]);
        }
        $store->close();

        return new Measured(new Window($job->block, 0, $seconds, \count($requests), 0, \count($requests) * self::SIZE, $cpu, 0.0, [\count($requests)]), $latency, extra: $extra, coverage: Coverage::every(\count($requests)));
    }

    /** @param list<int> $requests */
    private static function hits(KeyValue $store, string $prefix, array $requests, Histogram $latency): int
    {
        $seal = new Seal();
        $hits = 0;
        foreach ($requests as $number) {
            $key = \sprintf('%s%07d', $prefix, $number);
            $begin = hrtime(true);
            $value = $store->get($key);
            if ($value === null) {
                $store->set($key, $seal->value($key, $number, self::SIZE));
            } else {
                $seal->check($key, $value, $number, $number);
                ++$hits;
            }
            $latency->record(hrtime(true) - $begin);
        }

        return $hits;
    }

    /** @param list<int> $requests */
    private static function simulated(Policy $policy, array $requests): float
    {
        $hits = 0;
        foreach ($requests as $number) {
            $hits += $policy->request($number) ? 1 : 0;
        }

        return $hits / \count($requests);
    }
}
