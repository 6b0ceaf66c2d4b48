<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Can tell what its store takes; of a server, what that says itself. */
interface Sized extends Subject
{
    /** Bytes of all that is kept, not only this subject's. */
    public function bytesKept(): int;
}
