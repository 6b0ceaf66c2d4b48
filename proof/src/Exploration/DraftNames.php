<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** Replaces the random names of drafts by maker and number, so that equal states have equal texts. */
final class DraftNames
{
    /** @var array<string, string> */
    private array $names = [];

    /** @var array<string, int> drafts by process */
    private array $made = [];

    public function made(string $process, string $file): void
    {
        $draft = basename($file, '.gz');
        if (preg_match('/^[0-9a-f]{32}$/D', $draft) === 1 && !isset($this->names[$draft])) {
            $this->made[$process] = ($this->made[$process] ?? 0) + 1;
            $this->names[$draft] = $process . '~' . $this->made[$process];
        }
    }

    public function named(string $text): string
    {
        return $this->names === [] ? $text : strtr($text, $this->names);
    }

    /** Whether the process made this draft under a random name. */
    public function isOf(string $process, string $file): bool
    {
        return str_starts_with($this->names[basename($file, '.gz')] ?? '', $process . '~');
    }
}
