<?php

declare(strict_types=1);

namespace Larder\Page;

/** A response apart from any framework. */
final readonly class Answer
{
    /** @param array<string, list<string>> $headers by name in lower case */
    public function __construct(
        public int $status,
        public array $headers,
        public string $body,
    ) {}

    public function header(string $name): ?string
    {
        $values = $this->headers[strtolower($name)] ?? [];

        return $values === [] ? null : implode(', ', $values);
    }

    public function with(string $name, string $value): self
    {
        return new self($this->status, [strtolower($name) => [$value]] + $this->headers, $this->body);
    }
}
