<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

/** How narrow the names are that one statement gets; the heads of the table of sums. */
enum Grade: string
{
    /** Each table is read by its key. */
    case Rows = 'rows';
    /** Each table is read by its key or by equal columns. */
    case Sets = 'sets';
    /** At least one table is read whole, and another one is not. */
    case Partly = 'partly whole';
    case Whole = 'whole';
    /** What is made of it is not stored, or only for a time. */
    case Refused = 'refused';
    /** It reads no table and changes none. */
    case None = 'no table';
    /** It writes rows that are named. */
    case Written = 'writes rows';
    /** It writes, and all of a table counts as changed, or of all tables. */
    case Bulk = 'writes in bulk';
}
