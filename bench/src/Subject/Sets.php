<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

interface Sets extends KeyValue
{
    /** @return bool whether it is new there */
    public function add(string $key, string $member): bool;

    public function holds(string $key, string $member): bool;

    /** @return bool whether it was there */
    public function move(string $from, string $to, string $member): bool;

    public function random(string $key): ?string;
}
