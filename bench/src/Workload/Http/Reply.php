<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

/** A whole HTTP reply. */
final readonly class Reply
{
    /** @param string $head status line and headers, as they came */
    public function __construct(
        public int $status,
        private string $head,
        public string $body,
        public bool $closes,
    ) {}

    public function header(string $name): ?string
    {
        return preg_match('/^' . preg_quote($name, '/') . ':[ \t]*(.*?)[ \t]*\r?$/mi', $this->head, $match) === 1
            ? $match[1]
            : null;
    }

    /** The header's name as the server writes it. */
    public function spelling(string $name): ?string
    {
        return preg_match('/^(' . preg_quote($name, '/') . '):/mi', $this->head, $match) === 1 ? $match[1] : null;
    }
}
