<?php

declare(strict_types=1);

namespace Larder\Store\Net;

/**
 * What a memcached server said to one command.
 *
 * @internal
 */
final readonly class MetaReply
{
    /** @param list<string> $flags the words behind the code, or behind the length of a value */
    public function __construct(
        public string $code,
        public array $flags = [],
        public string $value = '',
    ) {}

    /** @return string what follows the letter; empty: there is no such flag */
    public function flag(string $letter): string
    {
        foreach ($this->flags as $flag) {
            if (str_starts_with($flag, $letter)) {
                return substr($flag, 1);
            }
        }

        return '';
    }

    public function isError(): bool
    {
        return str_ends_with($this->code, 'ERROR');
    }

    /** The line, without the length of a value. */
    public function line(): string
    {
        return rtrim($this->code . ' ' . implode(' ', $this->flags));
    }
}
