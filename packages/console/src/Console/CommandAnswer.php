<?php

declare(strict_types=1);

namespace Larder\Console;

/** @internal What a command found, for people and for programs. */
final readonly class CommandAnswer
{
    /**
     * @param array<string, mixed> $values for --format=json; the keys are part of the interface, see
     *     docs/reference/cli.md
     * @param list<string>         $lines  the same as text
     */
    public function __construct(
        public array $values,
        public array $lines,
        public int $exitCode = 0,
    ) {}
}
