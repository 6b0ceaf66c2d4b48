<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Proof\MissingGuard;
use Larder\Proof\UnguardedStore;
use Larder\Row\Listing;
use Larder\Row\Table;

/** Reads rows and lists, and checks that nothing is older than what was committed before it asked. */
final class RowReader
{
    /** Findings of one reader that are written down. */
    private const ENOUGH = 5;

    private readonly ReadingPdo $connection;

    private readonly Table $items;

    private readonly LeastVersions $least;

    private int $found = 0;

    private int $asked = 0;

    public function __construct(private readonly RowTrial $trial, private readonly int $worker)
    {
        $this->connection = new ReadingPdo($trial->database, $trial->missing === MissingGuard::Fill);
        $store = $trial->store->open($worker % 2);
        $rows = $trial->rows(
            $this->connection,
            $trial->missing === MissingGuard::Lease ? new UnguardedStore($store, MissingGuard::Fence) : $store,
            true,
        );
        $this->least = new LeastVersions($trial->commits, $trial->isFollowed ? $trial->others : null);
        $this->items = $rows->table('item');
    }

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $this->asked = $this->connection->queries();
            match (mt_rand(1, 12)) {
                1 => $this->lookAtGroup(mt_rand(0, RowState::GROUPS - 1)),
                2 => $this->lookAtPage(),
                3, 4 => $this->lookAtRows([$this->trial->anyRow(), $this->trial->anyRow()]),
                default => $this->lookAtRow($this->trial->anyRow()),
            };
        }
    }

    private function lookAtRow(int $row): void
    {
        $oldest = $this->least->of($row);
        $this->judge('find', $oldest, $row, $this->items->find($row), null);
        $this->counted();
    }

    /** @param list<int> $rows */
    private function lookAtRows(array $rows): void
    {
        $oldest = $this->oldest($rows);
        foreach ($this->items->findMany($rows) as $row => $found) {
            $this->judge('findMany', $oldest[$row], (int) $row, $found, null);
        }
        $this->counted();
    }

    private function lookAtGroup(int $group): void
    {
        $oldest = $this->oldest(range(1, RowTrial::ROWS));
        $listed = $this->listed($group);
        $rows = array_column($this->items->findAll('grp', $group), null, 'id');
        foreach ($oldest as $row => $version) {
            $this->judge('findAll', $version, $row, $rows[$row] ?? null, $group, $listed[$row]);
        }
        $this->trial->count(RowCount::Lists, $this->worker);
        $this->counted();
    }

    /** A page whose ids are kept: all items, the highest first. */
    private function lookAtPage(): void
    {
        $oldest = $this->oldest(range(1, RowTrial::ROWS));
        $listed = $this->listed(null);
        $rows = (new Listing($this->items, order: ['place' => 'desc']))->rows();
        $found = array_column($rows, null, 'id');
        foreach ($oldest as $row => $version) {
            $this->judge('page', $version, $row, $found[$row] ?? null, null, $listed[$row]);
        }
        if (\array_slice($this->trial->board->all('begun'), 1) === array_values($listed)) {
            $places = array_column($rows, 'place');
            $ordered = $places;
            rsort($ordered);
            if ($places !== $ordered) {
                $this->stale('a page shows its rows in an old order');
            }
        }
        $this->trial->count(RowCount::Lists, $this->worker);
        $this->counted();
    }

    /**
     * @param list<int> $rows
     *
     * @return array<int, int> the versions that have to be shown
     */
    private function oldest(array $rows): array
    {
        return array_combine($rows, array_map($this->least->of(...), $rows));
    }

    /** @return array<int, int> the versions that a list has to know; null: the whole table's */
    private function listed(?int $group): array
    {
        $rows = range(1, RowTrial::ROWS);

        return array_combine($rows, array_map(fn(int $row): int => $this->least->ofList($row, $group), $rows));
    }

    /**
     * @param int                       $least the version that had to be shown when it was asked for
     * @param array<string, mixed>|null $found
     * @param int|null                  $group  of the list that was asked for
     * @param int|null                  $listed the version that the list had to know; null: it is no list
     */
    private function judge(
        string $by,
        int $least,
        int $row,
        ?array $found,
        ?int $group,
        ?int $listed = null,
    ): void {
        if ($found !== null) {
            $version = $found['version'];
            $isWhole = \is_int($version) && $found['grp'] === RowState::group($version)
                && $found['place'] === RowState::place($version);
            if (!$isWhole || $version < $least || ($group !== null && $found['grp'] !== $group)) {
                $shown = json_encode($found);
                $this->stale("$by: row $row is $shown, and version $least has to be shown");
            }
        } elseif (!RowState::mayBeOut($listed ?? $least, $this->trial->board->get('begun', $row), $group)) {
            $this->stale(\sprintf(
                '%s: row %d is missing, and version %d has to be shown, of which the list has to know %d',
                $by,
                $row,
                $least,
                $listed ?? $least,
            ));
        } else {
            $this->trial->count(RowCount::MissingRows, $this->worker);
        }
    }

    private function stale(string $what): void
    {
        $this->trial->count(RowCount::Stale, $this->worker);
        if (++$this->found <= self::ENOUGH) {
            $this->trial->findings->add($this->trial->name . ', ' . $what);
        }
    }

    private function counted(): void
    {
        $this->trial->count(RowCount::Reads, $this->worker);
        if ($this->connection->queries() === $this->asked) {
            $this->trial->count(RowCount::Hits, $this->worker);
        }
    }
}
