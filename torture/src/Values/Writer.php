<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Dependency\Change;
use Larder\Dependency\Versions;
use Larder\Exception\LarderException;
use Larder\Store;
use PDOException;

/** Changes rows, now and then slowly, now and then to its death. */
final readonly class Writer
{
    /** One of so many changes ends in death. */
    private const DEATH = 10;

    /** More than the steps of a change of one row. */
    private const STEPS = 22;

    private Store $store;
    private Versions $versions;
    private MortalPdo $connection;
    private Fuse $fuse;
    private Score $score;

    public function __construct(private Slice $slice, private int $seat)
    {
        $this->score = $slice->score;
        $this->fuse = new Fuse(fn() => $this->score->add($seat, Count::Kills));
        $this->connection = $slice->database->openMortal($this->fuse);
        $this->store = $slice->shelf->open($seat);
        $broken = \in_array($slice->broken, [Broken::Close, Broken::Check], true) ? new BrokenStore($this->store, $slice->broken) : $this->store;
        $this->versions = $slice->versions(new MortalStore($broken, $this->fuse), $this->connection);
    }

    public function work(): void
    {
        while (!$this->slice->isOver()) {
            $rows = [$this->score->anyRow()];
            if (mt_rand(1, 4) === 1) {
                $rows[] = ($rows[0] + 1) % $this->score->rows;
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
        // Where gates may be lost, what counts is that change() returned.
        $counted = $this->slice->phase !== Phase::Losses;
        $note = function (bool $isOver) use (&$versions): void {
            foreach ($versions as $row => $version) {
                if ($isOver || !$this->slice->setting->isPlain($row)) {
                    $this->score->commit($this->seat, $row, $version);
                }
            }
        };
        $this->connection->committed = $counted ? static fn() => $note(false) : null;
        $this->fuse->light(mt_rand(1, self::DEATH) === 1 ? mt_rand(1, self::STEPS) : 0);
        $names = array_map(static fn(int $row): string => "item:$row", $rows);
        try {
            $this->versions->change(mt_rand(0, 1) === 1 ? $names : [], function (Change $change) use ($rows, $names, &$versions): void {
                foreach ($rows as $row) {
                    $this->connection->run('UPDATE item SET version = version + 1 WHERE id = ?', [$row]);
                    $versions[$row] = Database::version($this->connection, $row);
                }
                $change->name(...$names);
                $this->dawdle($rows[0]);
            });
            foreach (array_filter($rows, $this->slice->setting->isPlain(...)) as $row) {
                $this->store->delete("plain $row");
            }
            $note(true);
            $this->score->add($this->seat, Count::Changes);
        } catch (LarderException|PDOException) {
            $this->score->add($this->seat, Count::Failed);
        }
        $this->fuse->light(0);
    }

    /** While the change is written and not committed. */
    private function dawdle(int $row): void
    {
        $this->fuse->burn();
        $loses = mt_rand(1, 8) === 1;
        if ($loses) {
            $this->store->delete("\0vitem:$row");
            $this->score->add($this->seat, Count::Losses);
        }
        if ($loses || mt_rand(1, 5) === 1) {
            usleep(mt_rand($loses ? 20_000 : 1_000, 50_000));
        }
        if ($this->slice->phase === Phase::Losses) {
            $this->fuse->light(0);
        } elseif ($loses) {
            // It must not come to COMMIT now; if it does, let it die soon after.
            $this->fuse->light(mt_rand(3, 9));
        }
    }
}
