<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What was found wrong, a line each in a file that all processes add to. */
final readonly class Findings
{
    private const LONGEST = 300;

    public function __construct(private string $file) {}

    public function add(string $what): void
    {
        file_put_contents($this->file, substr(strtr($what, "\n", ' '), 0, self::LONGEST) . "\n", FILE_APPEND);
    }

    public function count(): int
    {
        return \count($this->all());
    }

    /** @return list<string> */
    public function all(): array
    {
        $lines = is_file($this->file) ? file($this->file, FILE_IGNORE_NEW_LINES) : [];

        return $lines === false ? [] : $lines;
    }
}
