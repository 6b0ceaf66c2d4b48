<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Psr\Log\AbstractLogger;
use Stringable;

/** Keeps what was logged, placeholders filled in. */
final class TestLog extends AbstractLogger
{
    /** @var list<string> */
    private array $lines = [];

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
        $this->lines[] = (\is_string($level) ? $level : '?') . ': ' . strtr((string) $message, $values);
    }

    /** @return list<string> */
    public function lines(): array
    {
        return $this->lines;
    }
}
