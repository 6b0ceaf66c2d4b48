<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** @internal Why a value is handed to the caller that made it and not stored. Each has a counter of its own. */
enum Unstored: string
{
    case InTransaction = 'in_transaction';
    case OldSnapshot = 'old_snapshot';
    case UnknownSnapshot = 'unknown_snapshot';
    case Changing = 'changing';
    case Changed = 'changed';
    case ToldLate = 'told_late';
    case Statement = 'statement';
    case Failed = 'failed';
    case NoVersions = 'no_versions';
    case Joined = 'joined';
    case NotKept = 'not_kept';

    public function text(): string
    {
        return match ($this) {
            self::InTransaction => 'a transaction is open',
            self::OldSnapshot => 'what is read now may be older than its versions: the connection has a statement that'
                . ' was not read to its end; call closeCursor() or fetchAll()',
            self::UnknownSnapshot => 'what is read now may be older than its versions, and nobody said how to find out:'
                . ' give Gates the connection that the data is read by, or inTransaction',
            self::Changing => 'its data is being changed',
            self::Changed => 'its data changed meanwhile',
            self::ToldLate => 'reads() came so late that a change may have been missed',
            self::Statement => 'a statement that it ran does not allow it',
            self::Failed => 'a statement that it ran failed',
            self::NoVersions => 'the store of the versions does not answer, or is full',
            self::Joined => 'it contains a value that another process made while the store gave no lease',
            self::NotKept => 'it is not kept',
        };
    }

    /** Whether it may happen to every value, because of how the application is set up or reads. Then it is logged. */
    public function isLasting(): bool
    {
        return match ($this) {
            self::Changing, self::Changed, self::NoVersions, self::Joined, self::NotKept => false,
            default => true,
        };
    }
}
