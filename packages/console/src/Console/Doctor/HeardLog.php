<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Metrics\ErrorLog;
use Psr\Log\AbstractLogger;
use Stringable;

/** @internal Keeps what a store says while it is looked at. */
final class HeardLog extends AbstractLogger
{
    /** @var array<string, true> */
    private array $lines = [];

    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        $this->lines[rtrim(ErrorLog::line($message, $context), '.')] = true;
    }

    /** @return string all that was said, each once; '': nothing */
    public function heard(): string
    {
        return implode('; ', array_map(strval(...), array_keys($this->lines)));
    }
}
