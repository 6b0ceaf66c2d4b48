<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Psr\Log\AbstractLogger;
use Stringable;

/** Does something when the first line is logged. */
final class TieredHookedLog extends AbstractLogger
{
    public ?Closure $hook = null;

    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        [$hook, $this->hook] = [$this->hook, null];
        if ($hook !== null) {
            $hook();
        }
    }
}
