<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use InvalidArgumentException;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Workload\Job;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Which keys are asked for, one after the other. Parameters: `keys`, how many there are; `requests`; and `pattern`: `zipf` (0.99), or
 * `scan`, where after each stretch of such requests as long as a twentieth of the keys a fortieth of them is read in order, as by
 * an export or a crawler, each time from where the last one ended.
 */
final readonly class Requests
{
    public const KEYS = 95_000;

    private const NUMBER = 1_000_000;

    /** @return list<int> from 0 to below `keys`; the same ones for the same seed */
    public static function of(Job $job): array
    {
        $keys = $job->int('keys', self::KEYS);
        $number = $job->int('requests', self::NUMBER);
        $pattern = $job->string('pattern', 'zipf');
        $scanned = match ($pattern) {
            'zipf' => 0,
            'scan' => intdiv($keys, 40),
            default => throw new InvalidArgumentException(\sprintf('There is no pattern "%s". There are: zipf, scan.', $pattern)),
        };
        $random = new Randomizer(new Xoshiro256StarStar($job->seed));
        $zipf = Distribution::zipf($keys);
        // Popular keys lie anywhere among the others: in order of rank, a scan would begin with those that are in the cache.
        $named = $random->shuffleArray(range(0, $keys - 1));
        $requests = [];
        for ($at = $done = 0; $done < $number; ++$done) {
            $scans = $scanned > 0 && $done % (3 * $scanned) >= 2 * $scanned;
            $requests[] = $scans ? $at++ % $keys : $named[$zipf->next($random)];
        }

        return $requests;
    }
}
