<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Closure;
use Psr\Log\AbstractLogger;
use Stringable;

/** Keeps what was logged, placeholders filled in. */
final class TestLog extends AbstractLogger
{
    /** @var list<string> */
    private array $lines = [];

    /** @param (Closure(string): void)|null $told is told the level of each line */
    public function __construct(private readonly ?Closure $told = null) {}

    /**
     * @param mixed        $level
     * @param array<mixed> $context
     */
    public function log($level, string|Stringable $message, array $context = []): void
    {
        $values = [];
        foreach ($context as $name => $value) {
            $values['{' . $name . '}'] = \is_scalar($value) ? (string) $value : get_debug_type($value);
        }
        $level = \is_string($level) ? $level : '?';
        $this->lines[] = $level . ': ' . strtr((string) $message, $values);
        if ($this->told !== null) {
            ($this->told)($level);
        }
    }

    /** @return list<string> */
    public function lines(): array
    {
        return $this->lines;
    }
}
