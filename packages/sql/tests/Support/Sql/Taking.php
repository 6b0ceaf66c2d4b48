<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** In what form an application takes the rows of a statement. */
enum Taking: string
{
    case All = 'fetchAll() in the default mode';
    case Numbers = 'fetchAll() by number';
    case Objects = 'fetchObject()';
    case Classes = 'FETCH_CLASS';
    case LateClasses = 'FETCH_CLASS with arguments, properties late';
    case NamedClasses = 'FETCH_CLASS by the first column';
    case Into = 'FETCH_INTO';
    case Called = 'FETCH_FUNC';
    case Pairs = 'FETCH_KEY_PAIR';
    case Groups = 'FETCH_GROUP';
    case Unique = 'FETCH_UNIQUE';
    case Column = 'fetchColumn()';
    case Bound = 'bindColumn()';
    case Looped = 'foreach';
    case Set = 'setFetchMode(), foreach';
    /** The statement is kept meanwhile, and given up at the end of the next one. */
    case Half = 'a foreach that is left behind the first row';
    case Closed = 'one row, closeCursor()';
    case Left = 'none';
}
