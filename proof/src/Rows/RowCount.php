<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

/** What each process counts. */
enum RowCount
{
    /** Reads that gave something older than what was committed. */
    case Stale;
    /** Rows and lists that were asked for. */
    case Reads;
    /** Those for which nobody asked the database. */
    case Hits;
    /** Lists of a set, and ordered ones. */
    case Lists;
    /** Rows that are not there and were found missing. */
    case MissingRows;
    /** Changes whose COMMIT returned. */
    case Changes;
    /** Of them, those by PDO, and those by the database's console. */
    case ByPlainPdo;
    case ByConsole;
    /** Of them, those that could not be followed row by row. */
    case BulkChanges;
    /** Changes that were rolled back. */
    case RolledBack;
    case Kills;
}
