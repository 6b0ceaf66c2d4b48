<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** By what method of a connection a writer does something. */
enum Action: string
{
    case Run = 'run';
    case Exec = 'exec';
    case Begin = 'beginTransaction()';
    case Commit = 'commit()';
    case RollBack = 'rollBack()';
    /** Prepares the statement that the next Execute runs, however much happens in between. */
    case Prepare = 'prepare';
    case Execute = 'execute the prepared';
    /** On another connection of the application, where no transaction is open. */
    case Elsewhere = 'elsewhere';
}
