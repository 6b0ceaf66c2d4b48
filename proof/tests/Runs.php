<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Closure;

/** A run of few seconds sees little on a busy machine: it is repeated until all that a test needs was seen. */
final class Runs
{
    private const MOST = 12;

    /**
     * @param non-empty-list<string>             $wanted counts and lists of which none may stay 0 or empty
     * @param Closure(): array<array-key, mixed> $run
     *
     * @return array<array-key, mixed> of the last run, but with the sums of the counts, and all findings
     */
    public static function until(array $wanted, Closure $run): array
    {
        $all = [];
        for ($number = 0; $number < self::MOST && self::lacksOneOf($wanted, $all); ++$number) {
            foreach ($run() as $name => $value) {
                $all[$name] = self::sum($all[$name] ?? null, $value);
            }
        }

        return $all;
    }

    private static function sum(mixed $before, mixed $value): mixed
    {
        return match (true) {
            \is_array($before) && \is_array($value) => [...$before, ...$value],
            \is_int($before) && \is_int($value) => $before + $value,
            default => $value,
        };
    }

    /**
     * @param list<string>            $wanted
     * @param array<array-key, mixed> $seen
     */
    private static function lacksOneOf(array $wanted, array $seen): bool
    {
        foreach ($wanted as $name) {
            if (\in_array($seen[$name] ?? 0, [0, 0.0, []], true)) {
                return true;
            }
        }

        return false;
    }
}
