<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

/** Why tables were dropped in bulk, or reads not stored. */
final class Causes
{
    /** That are printed. */
    private const MOST = 20;

    /** Transactions that wrote. */
    public int $written = 0;

    /** Transactions for which everything counts as changed. */
    public int $all = 0;

    /** @var array<string, int> by cause */
    private array $counts = [];

    /** @param array<string, string> $causes by table */
    public function note(array $causes, bool $isAll): void
    {
        ++$this->written;
        $this->all += $isAll ? 1 : 0;
        foreach ($causes as $table => $cause) {
            $this->count(str_replace($table, '…', $cause));
        }
    }

    public function count(string $cause): void
    {
        $this->counts[$cause] = ($this->counts[$cause] ?? 0) + 1;
    }

    /** @return list<string> lines, the most frequent causes first */
    public function lines(): array
    {
        arsort($this->counts);
        $most = \array_slice($this->counts, 0, self::MOST);

        return array_map(
            static fn(string $cause, int $times): string => "    $times: $cause",
            array_map(strval(...), array_keys($most)),
            $most,
        );
    }
}
