<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

/** What wrk counted. Latencies in microseconds; `failed` are answers other than 2xx and 3xx, `errors` broken connections. */
final readonly class WrkResult
{
    public function __construct(
        public int $requests,
        public int $bytes,
        public int $microseconds,
        public int $p50,
        public int $p99,
        public int $max,
        public int $errors,
        public int $failed,
    ) {}

    public function rate(): float
    {
        return $this->requests / ($this->microseconds / 1e6);
    }
}
