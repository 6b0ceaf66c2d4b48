<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal What a database writes down of each row that changes. */
enum RowLog
{
    /** Rows as they were and are, in files of the server. */
    case Binary;

    /** Rows that a slot of the server decodes from its log. */
    case Logical;
}
