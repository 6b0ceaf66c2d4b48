<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Closure;
use Larder\Proof\Values\CommitLog;

/**
 * What a read that begins now has to show: all that was committed through Larder, and of what others have committed
 * all but the last seconds.
 *
 * Who commits notes the time after COMMIT has returned, and a read counts from its begin. So a machine that is busy
 * makes the judge milder, never harder.
 */
final class LeastVersions
{
    /** @var array<int, int> by row: the newest one of others that was old enough already */
    private array $old = [];

    /** @var Closure(): int nanoseconds of the monotonic clock */
    private readonly Closure $clock;

    /**
     * @param CommitLog              $commits what was committed through Larder
     * @param CommitLog|null         $others  what others have committed; null: nobody else writes
     * @param (Closure(): int)|null  $clock   nanoseconds; null: the system's monotonic clock
     */
    public function __construct(
        private readonly CommitLog $commits,
        private readonly ?CommitLog $others,
        ?Closure $clock = null,
    ) {
        $this->clock = $clock ?? static fn(): int => (int) hrtime(true);
    }

    /** The version that a row has to show. */
    public function of(int $row): int
    {
        return max($this->commits->committed($row), $this->ofOthers($row));
    }

    /**
     * The version that a list has to know of a row: whether it is in, and at which place.
     *
     * It may be below of(). If another one puts the row into the list, and Larder changes the row there, Larder's
     * change ends the row and not the list. The list still waits for the follower.
     *
     * @param int|null $group of the list; null: the whole table's, by place
     */
    public function ofList(int $row, ?int $group): int
    {
        $newest = $this->commits->committed($row);
        if ($this->others === null) {
            return $newest;
        }
        $least = $this->ofOthers($row);
        for ($version = $newest; $version > $least; --$version) {
            if (RowState::changesList($version, $group) && $this->commits->committedAt($row, $version) > 0) {
                return $version;
            }
        }

        return $least;
    }

    private function ofOthers(int $row): int
    {
        if ($this->others === null) {
            return 0;
        }
        $limit = (int) (($this->clock)() - RowTrial::BOUND * 1e9);
        $newest = $this->others->committed($row);
        $old = $this->old[$row] ?? 0;
        for ($version = max($old + 1, $newest - $this->others->times + 1); $version <= $newest; ++$version) {
            $at = $this->others->committedAt($row, $version);
            if ($at > $limit) {
                break;
            }
            // Of the versions in between some are Larder's.
            $old = $at > 0 ? $version : $old;
        }

        return $this->old[$row] = $old;
    }
}
