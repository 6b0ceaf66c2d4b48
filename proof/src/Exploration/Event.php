<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** What can happen to a process that stands before a step. */
enum Event: string
{
    case Step = '';
    /** The process stops for ever, and the database rolls its transaction back. */
    case Die = 'dies before';
    /** The process does not get the write lock in time. */
    case GiveUp = 'gives up';
    /** The system call fails and does nothing. */
    case Fail = 'fails at';
}
