<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Exception\LarderException;
use Larder\Follow\Followed;
use Larder\Follow\Queries;
use Larder\Follow\State;
use Larder\Follow\Status;
use Larder\Page\FollowedPages;
use Larder\Sql\Schema\RowLog;
use PDOException;

/** @internal Looks at the log of a database, at the rights to read it, and at the follower that reads it. */
final readonly class FollowChecks
{
    public function __construct(private Followed $followed) {}

    /** @return list<Check> */
    public function checks(): array
    {
        $answers = 'the ledger answers';
        try {
            $ledger = ($this->followed->ledger)();
            $connection = $ledger->connection();
            $log = $connection->dialect()->log();
            $ledger->state()->read();
        } catch (PDOException|LarderException $exception) {
            $why = rtrim($exception->getMessage(), '.');

            return [Check::failed($answers, "$why. Run larder deploy"), $this->runs()];
        }
        if ($log === null) {
            return [Check::failed('the database has a log of rows', 'SQLite is not followed: it has none. What changes '
                . 'rows, pages and values there has to write by Larder')];
        }
        $queries = new Queries(($connection->own()->another())());
        $checks = match ($log) {
            RowLog::Binary => new BinaryLogChecks($queries, $this->followed),
            RowLog::Logical => new LogicalSlotChecks($queries, $this->followed),
        };

        return [Check::ok($answers), ...$checks->checks(), $this->runs(), ...$this->ofWork(), ...$this->ofPages()];
    }

    /** @return list<Check> */
    private function ofPages(): array
    {
        return array_map(static fn(string $pages): Check => Check::that(
            "the pages in $pages are served",
            (new FollowedPages($pages))->areServed(),
            'they are not, since this follower has not said lately that they are right: start it as a user who may '
                . "write to $pages/followed",
        ), $this->followed->pages);
    }

    private function runs(): Check
    {
        return Check::that(
            'a follower runs',
            (new State($this->followed->state))->isRunning(),
            "none has the directory {$this->followed->state}: start larder follow, as by larder follow --unit",
        );
    }

    /** @return list<Check> of what the follower has told last */
    private function ofWork(): array
    {
        $status = Status::of($this->followed->state);
        if (!$status->isRunning) {
            return [];
        }
        $now = microtime(true);
        $failure = $status->values($now)['failure'] ?? null;
        $age = $status->age($now);
        $name = 'the follower sees its own signs in the log';
        if (\is_string($failure)) {
            return [Check::failed($name, $failure)];
        }
        if ($age === null) {
            return [Check::remark($name, 'it has seen none so far: ask again')];
        }

        return [Check::that($name, $age <= $this->followed->settings->maxLag, \sprintf(
            'the last is %.1f s old, and maxLag is %.1f s, so no row is handed out: see its log, and what the database '
                . 'and the stores do',
            $age,
            $this->followed->settings->maxLag,
        ))];
    }
}
