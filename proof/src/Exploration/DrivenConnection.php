<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** A real connection whose statements are the steps of a process. */
interface DrivenConnection
{
    /** @param bool $everyStatement makes steps of writes as well that no other process can see yet */
    public function drive(ExploredProcess $process, bool $everyStatement): void;

    /** What the system and the database do after a process died: its locks and its uncommitted changes are gone. */
    public function vanish(): void;
}
