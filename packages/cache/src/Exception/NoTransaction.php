<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** A transaction is open where none may be, or none is where one must be: the message says what to do. */
final class NoTransaction extends LogicException implements LarderException
{
    public static function ofItsOwn(): self
    {
        return new self(
            'change() runs its own transaction, and one is open already: end that first, or tell the change '
                . 'within it.',
        );
    }

    public static function leftOpen(): self
    {
        return new self(
            'What change() ran has left a transaction open: commit it before you return, or roll it back and throw.',
        );
    }

    public static function forChange(): self
    {
        return new self(
            'A change can only be told inside the transaction that makes it: call transaction(), or '
                . 'beginTransaction() on the same connection first.',
        );
    }

    public static function isOver(): self
    {
        return new self(
            'The transaction is over before the closure that runs in it: the database rolled it back, or a statement '
                . 'did. Nothing else may be written in it: let the exception pass, or throw one.',
        );
    }

    public static function isNotYours(): self
    {
        return new self(
            'The transaction is committed when its closure returns, and not inside it: return, or throw to roll back.',
        );
    }

    public static function toReturnRows(): self
    {
        return new self(
            'A statement with RETURNING ends only when its rows have been read, so outside a transaction it could not '
                . 'be made known in time: call beginTransaction() before it.',
        );
    }

    public static function begunPast(): self
    {
        return new self(
            'A transaction is open that no method of this connection has begun, so what is written in it could not be '
                . 'made known in time. Begin it by a method: $db->begin_transaction() in place of '
                . 'mysqli_begin_transaction(), $db->autocommit(false) in place of mysqli_autocommit(), '
                . '$db->query() in place of mysqli_query() with START TRANSACTION or SET autocommit = 0, and '
                . 'beginTransaction() of the RecordingPdo in place of PDO\'s own. XA START has none.',
        );
    }

    /** @param string $statement its first words */
    public static function inTwoPhases(string $statement): self
    {
        return new self(\sprintf(
            '%s belongs to a transaction in two phases, which another connection may commit later: what it writes '
                . 'could not be made known in time. Commit by COMMIT, or use a connection without Larder and tell '
                . 'the change.',
            strtoupper($statement),
        ));
    }

    public static function underTableLocks(): self
    {
        return new self(
            'LOCK TABLES lets nobody write but to the tables it names, so what is written under it could not be made '
                . 'known in time: use a transaction, or lock rows by SELECT ... FOR UPDATE.',
        );
    }

    /** @param string $statement its first word */
    public static function inText(string $statement): self
    {
        return new self(\sprintf(
            'A text of several statements that holds %s cannot be followed: send its statements one by one.',
            strtoupper($statement),
        ));
    }

    public static function byCopy(): self
    {
        return new self(
            'Rows that PDO copies into a table pass Larder by: insert them by INSERT, or copy them on a connection '
                . 'without Larder and tell the change by RowChange::bulk().',
        );
    }
}
