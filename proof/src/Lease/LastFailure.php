<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Metrics\Counters;

/** Keeps why a store's server gave no answer last, and when, instead of counting it. */
final class LastFailure implements Counters
{
    private string $cause = '';
    private int $moment = 0;

    public function add(string $name, int $by = 1, array $labels = []): void
    {
        // A server that is not asked for a while has failed before, and that is what is of interest.
        if (($labels['cause'] ?? 'down') !== 'down') {
            $this->cause = $labels['cause'];
            $this->moment = (int) hrtime(true);
        }
    }

    public function observe(string $name, float $seconds, array $labels = []): void {}

    public function all(): array
    {
        return [];
    }

    /** The cause, and how long ago that was. */
    public function text(): string
    {
        return $this->cause === ''
            ? 'without a failure'
            : \sprintf('%s %d ms ago', $this->cause, intdiv((int) hrtime(true) - $this->moment, 1_000_000));
    }
}
