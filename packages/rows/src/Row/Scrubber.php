<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Exception\UnknownName;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Store;
use PDOException;

/**
 * Compares rows that are kept with the database's own, by samples: it finds what nobody has told and no log has, such
 * as the changes of a session with `sql_log_bin = 0`.
 *
 * A row may change between the two looks, and a follower needs its time. So what differs is looked at again later, and
 * only what differs then too is an old one.
 */
final readonly class Scrubber
{
    private Rows $rows;

    /** @var Closure(float): void */
    private Closure $wait;

    /**
     * @param SqlLedger                    $ledger of a connection with the settings that the readers' have
     * @param Store                        $store  in which they keep rows
     * @param float                        $maxLag seconds in which a changed row has ended
     * @param (Closure(float): void)|null  $wait   waits for so many seconds; null: usleep()
     */
    public function __construct(
        private SqlLedger $ledger,
        Store $store,
        private float $maxLag = 2.0,
        ?Closure $wait = null,
    ) {
        $this->rows = new Rows($ledger, $store);
        $this->wait = $wait ?? static fn(float $seconds) => usleep((int) ($seconds * 1e6));
    }

    /**
     * Looks at a sample of a table's rows, and of keys that it has not.
     *
     * @param int<1, max> $most keys to look at
     *
     * @return array{sampled: int, kept: int, old: list<int|string>} how many keys were looked at, how many of them are
     *     kept, and those whose row is an old one
     *
     * @throws UnknownName  of a table, or of one without a key of one column
     * @throws PDOException
     */
    public function look(string $table, int $most): array
    {
        $keys = $this->sample($table, $most);
        $rows = $this->rows->table($table);
        $found = $keys === [] ? [] : $rows->compared($keys);
        $differing = array_keys(array_filter($found, static fn(bool $isSame): bool => !$isSame));
        if ($differing !== []) {
            // Those that are made anew meanwhile are of a later state than the first look.
            ($this->wait)($this->maxLag + 0.5);
            $again = array_filter($rows->compared($differing), static fn(bool $isSame): bool => !$isSame);
            $differing = array_keys($again);
        }

        return ['sampled' => \count($keys), 'kept' => \count($found), 'old' => $differing];
    }

    /** @return list<int|string> */
    private function sample(string $table, int $most): array
    {
        $connection = $this->ledger->connection();
        $key = $connection->registry()->get($table)->key;
        if ($key === '') {
            throw UnknownName::of('key of one column in', $table, []);
        }
        [$from, $column] = [$connection->dialect()->quote($table), $connection->dialect()->quote($key)];
        $ends = $connection->select("SELECT MIN($column) AS low, MAX($column) AS high FROM $from")[0] ?? [];
        [$low, $high] = [$ends['low'] ?? null, $ends['high'] ?? null];
        if (!\is_int($low) || !\is_int($high)) {
            $count = $connection->select("SELECT COUNT(*) AS rows_there FROM $from")[0]['rows_there'] ?? 0;
            $skipped = random_int(0, max(0, (is_numeric($count) ? (int) $count : 0) - $most));
            $sql = "SELECT $column AS id FROM $from ORDER BY $column LIMIT $most OFFSET $skipped";
            $keys = array_column($connection->select($sql), 'id');

            return array_values(array_filter($keys, static fn(mixed $id): bool => \is_int($id) || \is_string($id)));
        }
        if ($high - $low < $most) {
            return range($low, $high);
        }
        $keys = [];
        for ($i = 0; $i < $most; ++$i) {
            $keys[random_int($low, $high)] = true;
        }

        return array_keys($keys);
    }
}
