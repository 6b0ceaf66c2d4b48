<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

/** What is noted for a worker's number: by the present worker and by all before it. */
enum WorkerCount
{
    /** When the present operation began, in nanoseconds; at first when the worker was forked. */
    case OperationBegan;
    /** When the worker last got something done, in nanoseconds. */
    case Progressed;
    case Operations;
    case Reads;
    case Hits;
    case Writes;
    /** Writes that the store refused. */
    case Refused;
    /** Values held for a while that were checked again. */
    case Rechecks;
    /** The longest time in which no worker got anything done, as this one saw it, in nanoseconds. */
    case Gap;
    /** The longest operation, in nanoseconds. */
    case Slowest;
    /** Numbers that were used up as starts of sums. */
    case Starts;
    /** Processes that were forked while values were held. */
    case ForksWhilePinned;
}
