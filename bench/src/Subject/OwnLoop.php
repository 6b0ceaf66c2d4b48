<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;

/** A floor that is no client: it is told beforehand what all its calls will be and must answer. */
interface OwnLoop extends Subject
{
    /**
     * @param array<string, string> $values by key; those that the servers hold, or that are set
     *
     * @return Closure(int $times): void does the whole batch that often, and throws when what came last is not what it had to be
     */
    public function loop(Calls $calls, array $values): Closure;
}
