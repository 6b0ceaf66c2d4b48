<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

interface Lists extends KeyValue
{
    /** @return int length after it */
    public function pushRight(string $key, string $value): int;

    /** @return int length after it */
    public function pushLeft(string $key, string $value): int;

    public function popLeft(string $key): ?string;
}
