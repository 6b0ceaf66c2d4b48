<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

/** What was found wrong: a file to which every process appends lines. */
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
