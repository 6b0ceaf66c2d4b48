<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Sql\Ledger\RegisteredPages;

/** The names of the drafts and the pages that a page store would have. There is nothing in them. */
final class KeptPages implements RegisteredPages
{
    private string $ledger = '';

    /** @var array<string, true> */
    private array $drafts = [];

    /** @var array<string, true> */
    private array $kept = [];

    /** @var (Closure(): void)|null */
    private ?Closure $step = null;

    public function place(): string
    {
        return '/exact';
    }

    public function host(): string
    {
        return '';
    }

    public function isHost(string $host): bool
    {
        return true;
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

    public function begin(string $ledger, int $generation, string $release, bool $keepsStale = false): void
    {
        $this->ledger = $ledger;
        $this->clear();
    }

    public function drop(array $pages): void
    {
        $this->step();
        foreach ($pages as $page) {
            unset($this->drafts[$page->draft], $this->kept[$page->page]);
        }
        $this->step();
    }

    public function outdate(array $pages): void
    {
        $this->drop($pages);
    }

    public function clear(): void
    {
        $this->step();
        $this->drafts = $this->kept = [];
        $this->step();
    }

    public function sweep(int $most): void {}

    public function draft(string $draft): void
    {
        $this->drafts[$draft] = true;
    }

    /** @return bool whether the draft was still there */
    public function keep(string $draft, string $page): bool
    {
        if (!isset($this->drafts[$draft])) {
            return false;
        }
        unset($this->drafts[$draft]);
        $this->kept[$page] = true;

        return true;
    }

    public function has(string $page): bool
    {
        return isset($this->kept[$page]);
    }

    public function forget(string $page): void
    {
        unset($this->kept[$page]);
    }

    /** @param (Closure(): void)|null $step runs before and after pages are dropped */
    public function stepBy(?Closure $step): void
    {
        $this->step = $step;
    }

    private function step(): void
    {
        if ($this->step !== null) {
            ($this->step)();
        }
    }
}
