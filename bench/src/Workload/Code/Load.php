<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Exception\Failed;

/** What one load of all files took. */
final readonly class Load
{
    private function __construct(
        public int $nanoseconds,
        public float $cpu,
        public int $trips,
        public string $seal,
    ) {}

    /** @throws Failed if that is not what libexec/load-code.php says when it has loaded */
    public static function read(string $said): self
    {
        $read = json_decode($said, true);
        [$nanoseconds, $cpu, $trips, $seal] = (\is_array($read) ? array_values($read) : []) + [null, null, null, null];

        return \is_int($nanoseconds) && \is_int($cpu) && \is_int($trips) && \is_string($seal)
            ? new self($nanoseconds, (float) $cpu, $trips, $seal)
            : throw new Failed('the files could not be loaded: ' . substr(trim($said), 0, 500));
    }
}
