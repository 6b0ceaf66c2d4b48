<?php

declare(strict_types=1);

namespace Larder\Torture\Rows;

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

    public function __construct(private readonly RowTrial $trial) {}

    public function of(int $row): int
    {
        $least = $this->trial->commits->committed($row);

        return $this->trial->isFollowed ? max($least, $this->ofOthers($row)) : $least;
    }

    private function ofOthers(int $row): int
    {
        $log = $this->trial->others;
        $limit = (int) (hrtime(true) - RowTrial::BOUND * 1e9);
        $newest = $log->committed($row);
        $old = $this->old[$row] ?? 0;
        for ($version = max($old + 1, $newest - $log->times + 1); $version <= $newest; ++$version) {
            $at = $log->committedAt($row, $version);
            if ($at > $limit) {
                break;
            }
            // Of the versions in between some are Larder's.
            $old = $at > 0 ? $version : $old;
        }

        return $this->old[$row] = $old;
    }
}
