<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * How the values of a RedisStore are bound to the data set that they were written in.
 *
 * @internal
 */
enum RedisBinding
{
    /** Not at all: they are as the server has them, also after a restart or a failover. */
    case None;
    /** A reader asks the server on each connection, and again after a second. */
    case Connection;
    /** A reader asks with each request. */
    case Request;
}
