<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

interface Appending extends KeyValue
{
    public function append(string $key, string $suffix): void;
}
