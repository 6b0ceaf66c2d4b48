<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\RegisteredPages;

/** The names of the pages that a page store would have. There is nothing in them. */
final class KeptPages implements RegisteredPages
{
    private string $ledger = '';

    /** @var array<string, true> */
    private array $kept = [];

    public function place(): string
    {
        return '/exact';
    }

    public function at(string $place): self
    {
        return $this;
    }

    public function isThere(): bool
    {
        return true;
    }

    public function endWithHost(): bool
    {
        return true;
    }

    public function belong(string $ledger, int $generation): bool
    {
        return $ledger === $this->ledger;
    }

    public function begin(string $ledger, int $generation, string $release): void
    {
        $this->ledger = $ledger;
        $this->clear();
    }

    public function drop(array $pages): void
    {
        foreach ($pages as $page) {
            unset($this->kept[$page->page]);
        }
    }

    public function clear(): void
    {
        $this->kept = [];
    }

    public function sweep(int $most): void {}

    public function keep(string $page): void
    {
        $this->kept[$page] = true;
    }

    public function has(string $page): bool
    {
        return isset($this->kept[$page]);
    }
}
