<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

/** By what Items reads its rows. */
enum Access: string
{
    /** SQL with the key in its text. */
    case Text = 'text';

    /** A statement that is prepared for each read. */
    case Statement = 'statement';

    /** A statement that is prepared once. */
    case Prepared = 'prepared';

    /** The same for many rows at once. */
    case In = 'in';

    /** MariaDB's statement HANDLER, prepared once. */
    case Handler = 'handler';
    case HandlerSocket = 'handlersocket';

    /** A value of memcached, by Larder's client. */
    case Value = 'value';

    /** Larder\Row\Table on memcached, and on shared memory. */
    case Memcached = 'memcached';
    case Memory = 'memory';

    /** A connection whose changes Larder sees, without rows in a store. */
    case Tracked = 'tracked';

    public function hasTable(): bool
    {
        return $this === self::Memcached || $this === self::Memory;
    }
}
