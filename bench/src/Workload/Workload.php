<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Definition;

/** Work that can be measured. A row of a table gives it a name, conditions and subjects. */
interface Workload
{
    /** Null: the subject can do it; else why not, for the cell that is then absent: "has no lists". */
    public function refuses(Definition $subject): ?string;

    /**
     * Called once a cell and run, in its own process, before the first block, for subjects whose store outlives a
     * process: puts there what the windows read.
     */
    public function prepare(Job $job, Definition $subject): void;

    /**
     * One window, in a fresh process.
     *
     * @throws WrongReply which voids the cell
     * @throws \Throwable which fails it
     */
    public function measure(Job $job, Definition $subject): Measured;
}
