<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * What a memcached server said to one command.
 *
 * @internal
 */
final readonly class PoolReply
{
    /** @param list<string> $flags the words behind the code, or behind the length of a value */
    public function __construct(
        public string $code,
        public array $flags = [],
        public string $value = '',
    ) {}

    /** @return string '': it is not there */
    public function flag(string $letter): string
    {
        foreach ($this->flags as $flag) {
            if (str_starts_with($flag, $letter)) {
                return substr($flag, 1);
            }
        }

        return '';
    }
}
