<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

/** Why tables were dropped in bulk. */
final class Causes
{
    /** Transactions that wrote. */
    public int $written = 0;

    /** Transactions for which everything counts as changed. */
    public int $all = 0;

    /** @var array<string, int> tables by cause */
    private array $counts = [];

    /** @param array<string, string> $causes by table */
    public function note(array $causes, bool $isAll): void
    {
        ++$this->written;
        $this->all += $isAll ? 1 : 0;
        foreach ($causes as $table => $cause) {
            $cause = str_replace($table, '…', $cause);
            $this->counts[$cause] = ($this->counts[$cause] ?? 0) + 1;
        }
    }

    /** @return array<string, int> the most frequent ones first */
    public function most(int $most): array
    {
        arsort($this->counts);

        return \array_slice($this->counts, 0, $most);
    }
}
