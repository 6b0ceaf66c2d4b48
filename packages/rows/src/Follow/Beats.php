<?php

declare(strict_types=1);

namespace Larder\Follow;

use PDOException;

/** @internal The follower's own changes of the database, by which it sees how far behind the log is. */
final class Beats
{
    private const TABLE = Gathered::BEATS;

    /** So that a beat of an earlier process is not taken for one of this. */
    private readonly int $run;

    private int $number = 0;

    /** @var array<int, int> when each was sent, in nanoseconds of the monotonic clock */
    private array $sent = [];

    /**
     * @throws PDOException
     */
    public function __construct(private readonly Queries $queries, private readonly string $name)
    {
        $this->run = random_int(1, 1 << 30);
        if (!$this->isThere()) {
            $queries->change('CREATE TABLE IF NOT EXISTS ' . self::TABLE
                . ' (name VARCHAR(64) NOT NULL PRIMARY KEY, beat VARCHAR(64) NOT NULL)');
        }
    }

    /** @throws PDOException */
    public function beat(): void
    {
        $this->sent[++$this->number] = (int) hrtime(true);
        $this->sent = \array_slice($this->sent, -1000, null, true);
        $beat = $this->run . '-' . $this->number;
        $values = [$beat, $this->name];
        if ($this->queries->change('UPDATE ' . self::TABLE . ' SET beat = ? WHERE name = ?', $values) === 0) {
            $this->queries->change('INSERT INTO ' . self::TABLE . ' (beat, name) VALUES (?, ?)', $values);
        }
    }

    /**
     * @return float|null seconds since it was sent; null: it is not of this process
     *
     * @phpstan-impure
     */
    public function age(string $beat): ?float
    {
        [$run, $number] = [...explode('-', $beat), '', ''];
        $sent = $run === (string) $this->run ? $this->sent[(int) $number] ?? null : null;

        return $sent === null ? null : (hrtime(true) - $sent) / 1e9;
    }

    private function isThere(): bool
    {
        try {
            $this->queries->rows('SELECT 1 FROM ' . self::TABLE . ' LIMIT 1');

            return true;
        } catch (PDOException) {
            return false;
        }
    }
}
