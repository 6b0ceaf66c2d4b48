<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Follow\Exception\LogUnreadable;
use PDOException;

/** @internal The log of a database, as a follower reads it. */
interface Log
{
    /**
     * What of the database's settings lets changes be missed.
     *
     * @return list<string> each with what to do
     *
     * @throws PDOException
     */
    public function objections(): array;

    /** @return Facts as they are now, and anew after refresh() */
    public function facts(): Facts;

    /**
     * The end of the log at this moment.
     *
     * @throws PDOException
     * @throws LogUnreadable
     */
    public function end(): Position;

    /**
     * Begins to read behind this position.
     *
     * @throws PDOException
     * @throws LogUnreadable whose isPositionLost is true if what came behind it is not there any more
     */
    public function begin(Position $from): void;

    /**
     * What came since the last call, at the latest after these seconds.
     *
     * @return list<LogEvent>
     *
     * @throws PDOException
     * @throws LogUnreadable
     */
    public function read(float $seconds): array;

    /** Whether more can be read at once. */
    public function hasMore(): bool;

    /**
     * Waits until everybody sees what these transactions changed.
     *
     * @param list<string> $transactions
     *
     * @throws PDOException
     * @throws LogUnreadable after too long a time
     */
    public function await(Committed $last, array $transactions): void;

    /**
     * Lets the database forget what is before this.
     *
     * @throws PDOException
     */
    public function acknowledge(Position $position): void;

    /** @return string|null another text once the schema is another one, if the log does not say it; null: it does */
    public function fingerprint(): ?string;

    public function close(): void;
}
