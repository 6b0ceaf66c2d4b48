<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Closure;

/** Makes a value where there is none, or where it is to be made anew, and hands it out. */
interface Remembering extends Subject
{
    /**
     * @param Closure(): mixed $compute
     *
     * @return mixed what it, or another process's, has made
     */
    public function remember(string $key, Closure $compute, Freshness $freshness): mixed;

    /** Takes the value away. When it returns, what was there before is handed out no more. */
    public function forget(string $key): void;
}
