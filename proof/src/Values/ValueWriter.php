<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Dependency\Change;
use Larder\Dependency\Versions;
use Larder\Exception\LarderException;
use Larder\Proof\MissingGuard;
use Larder\Proof\UnguardedStore;
use Larder\Store;
use PDOException;

/** Changes rows. Some changes are slow, and in some the writer dies. */
final readonly class ValueWriter
{
    /** One of this many changes ends with the writer's death. */
    private const DEATH = 10;

    /** More than the steps of a change of one row. */
    private const STEPS = 18;

    private Store $store;
    private Versions $versions;
    private DyingPdo $connection;
    private DeathCountdown $countdown;
    private CommitLog $commits;

    public function __construct(private Trial $trial, private int $worker)
    {
        $this->commits = $trial->commits;
        $this->countdown = new DeathCountdown(fn() => $trial->count(ValueCount::Kills, $worker));
        $this->connection = $trial->database->openDying($this->countdown);
        $this->store = $trial->store->open($worker % 2);
        $isGuarded = !\in_array($trial->missing, [MissingGuard::Close, MissingGuard::Check], true);
        $store = $isGuarded ? $this->store : new UnguardedStore($this->store, $trial->missing);
        $this->versions = $trial->versions(new DyingStore($store, $this->countdown), $this->connection);
    }

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $rows = [$this->trial->anyRow()];
            if (mt_rand(1, 4) === 1) {
                $rows[] = ($rows[0] + 1) % $this->commits->rows;
            }
            $this->change($rows);
            usleep(mt_rand(0, 25_000));
        }
    }

    /** @param non-empty-list<int> $rows */
    private function change(array $rows): void
    {
        /** @var array<int, int> $versions */
        $versions = [];
        // Where gates may be lost, a change counts once change() has returned.
        $counted = $this->trial->hazard !== Hazard::Losses;
        $note = function (bool $isOver) use (&$versions): void {
            foreach ($versions as $row => $version) {
                if ($isOver || !$this->trial->mode->isPlain($row)) {
                    $this->commits->commit($this->worker, $row, $version);
                }
            }
        };
        $this->connection->committed = $counted ? static fn() => $note(false) : null;
        $this->countdown->start(mt_rand(1, self::DEATH) === 1 ? mt_rand(1, self::STEPS) : 0);
        $names = array_map(static fn(int $row): string => "item:$row", $rows);
        try {
            $this->versions->change(mt_rand(0, 1) === 1 ? $names : [], function (Change $change) use (
                $rows,
                $names,
                &$versions,
            ): void {
                foreach ($rows as $row) {
                    $this->connection->run('UPDATE item SET version = version + 1 WHERE id = ?', [$row]);
                    $versions[$row] = Database::version($this->connection, $row);
                }
                array_map(static fn(string $name) => $change->name($name, trust: true), $names);
                $this->linger($rows[0]);
            });
            foreach (array_filter($rows, $this->trial->mode->isPlain(...)) as $row) {
                $this->store->delete("plain $row");
            }
            $note(true);
            $this->trial->count(ValueCount::Changes, $this->worker);
        } catch (LarderException|PDOException) {
            $this->trial->count(ValueCount::RolledBack, $this->worker);
        }
        $this->countdown->start(0);
    }

    /** Between the writes and COMMIT. */
    private function linger(int $row): void
    {
        $this->countdown->step();
        $loses = mt_rand(1, 8) === 1;
        if ($loses) {
            $this->store->delete("\0vitem:$row");
            $this->trial->count(ValueCount::Losses, $this->worker);
        }
        if ($loses || mt_rand(1, 5) === 1) {
            usleep(mt_rand($loses ? 20_000 : 1_000, 50_000));
        }
        if ($this->trial->hazard === Hazard::Losses) {
            $this->countdown->start(0);
        } elseif ($loses) {
            // The change must not be committed now. If it is, the writer dies soon after.
            $this->countdown->start(mt_rand(2, 6));
        }
    }
}
