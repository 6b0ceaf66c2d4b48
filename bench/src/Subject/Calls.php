<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** The calls of a client that are held against a loop in C. */
enum Calls: string
{
    /** A key of the batch, then the next one. */
    case Get = 'get';
    case Set = 'set';
    /** The whole batch by one call. */
    case GetMany = 'get_many';
    case SetMany = 'set_many';
    case DeleteMany = 'delete_many';
    case IncrementMany = 'increment_many';

    public function isForMany(): bool
    {
        return $this !== self::Get && $this !== self::Set;
    }
}
