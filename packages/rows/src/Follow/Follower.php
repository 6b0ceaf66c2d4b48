<?php

declare(strict_types=1);

namespace Larder\Follow;

use Closure;
use Larder\Dependency\Change;
use Larder\Dependency\Gate\GateEntries;
use Larder\Dependency\Gate\WriterGates;
use Larder\Exception\LarderException;
use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\MariaDb\BinaryLog;
use Larder\Follow\PostgreSql\LogicalSlot;
use Larder\Metrics\SparingLogger;
use Larder\Outcome;
use Larder\Row\Heartbeat;
use Larder\Row\Rows;
use Larder\Sql\Exception\UnsupportedDatabase;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\RowLog;
use Larder\Sql\Tracker\TrackedConnection;
use LogicException;
use PDOException;
use Psr\Log\LoggerInterface;

/**
 * Reads a database's log, and ends rows, pages and values of what others have changed.
 *
 * The order of its steps is all that keeps an old row from staying: the log has a change; everybody sees it; rows,
 * pages and versions end, each confirmed; the place in the log is noted; and only then a sign of life that was behind
 * it counts. Whatever fails or dies in between is done again from the place that was noted.
 *
 * @internal
 */
final class Follower
{
    /** Seconds that a gate of a dead follower stays closed. */
    private const GATE = 10.0;

    /** Names of a transaction of the ledger, which would take more for everything. */
    private const AT_ONCE = 500;

    private const SHORTEST_PAUSE = 0.1;

    private const LONGEST_PAUSE = 5.0;

    /**
     * Beats that may not be seen in the log, with nothing else in it, before it is read anew. As the pauses grow, so
     * does this: of a very long statement nothing comes for as long as its rows are made ready.
     */
    private const MOST_UNSEEN = 40;

    private readonly State $state;

    private readonly LoggerInterface $logger;

    /** @var Closure(string, float): mixed */
    private readonly Closure $serve;

    private bool $isStopped = false;

    /** Whether the log has not what comes behind the position that was noted. */
    private bool $isLost = false;

    private int $work = 0;

    private int $rows = 0;

    private int $whole = 0;

    private int $names = 0;

    private int $failures = 0;

    private ?float $lag = null;

    private ?string $failure = null;

    /**
     * @param (Closure(string): void)|null        $step  is told what is done next; a test ends the process there
     * @param (Closure(string, float): void)|null $serve lets the pages of a directory be served until a Unix time
     */
    public function __construct(
        private readonly Followed $followed,
        private readonly ?Closure $step = null,
        ?Closure $serve = null,
    ) {
        if ($serve === null && $followed->pages !== []) {
            throw new LogicException('There are pages that nobody lets be served.');
        }
        $this->serve = $serve ?? static fn() => null;
        $this->state = new State($followed->state);
        $this->logger = $followed->settings->logger ?? new SparingLogger();
    }

    /** The work that is being done is finished. */
    public function stop(): void
    {
        $this->isStopped = true;
    }

    /**
     * Follows until stop() is called, whatever fails meanwhile.
     *
     * @throws UnsupportedDatabase
     */
    public function run(): void
    {
        for ($pause = self::SHORTEST_PAUSE; !$this->isStopped; $pause = min(self::LONGEST_PAUSE, 2 * $pause)) {
            try {
                $this->follow($pause);
            } catch (UnsupportedDatabase $exception) {
                throw $exception;
            } catch (PDOException|LarderException $exception) {
                $this->isLost = $this->isLost || ($exception instanceof LogUnreadable && $exception->isPositionLost);
                $this->failure = $exception->getMessage();
                $this->lag = null;
                ++$this->failures;
                $this->followed->settings->counters->add('larder_follow_failures_total');
                $this->logger->error('The follower begins anew: {why}', [
                    'why' => $exception->getMessage(), 'exception' => $exception,
                ]);
                $this->tell(null);
                for ($end = microtime(true) + $pause; !$this->isStopped && microtime(true) < $end;) {
                    usleep(20_000);
                }
            }
        }
        $this->tell(null);
    }

    private function follow(float &$pause): void
    {
        $ledger = ($this->followed->ledger)();
        $connection = $ledger->connection();
        $log = $this->log($connection);
        $rows = array_map(fn($store): Rows => new Rows($ledger, $store), $this->followed->rows);
        try {
            foreach ($log->objections() as $objection) {
                $this->logger->warning('The follower: {objection}', ['objection' => $objection]);
            }
            $beats = new Beats(new Queries(($connection->own()->another())()), $this->followed->name);
            $schema = $this->begin($log, $ledger);
            $gathered = new Gathered($connection->registry(), $log->facts(), $ledger->slots());
            $due = 0.0;
            $unseen = 0;
            while (!$this->isStopped) {
                $now = microtime(true);
                if ($now >= $due) {
                    $beats->beat();
                    $due = $now + $this->followed->settings->beat;
                    if (++$unseen > self::MOST_UNSEEN * $pause / self::SHORTEST_PAUSE) {
                        throw LogUnreadable::because('its signs of life do not come back in it');
                    }
                }
                $events = $log->read(min($this->followed->settings->beat, max(0.0, $due - microtime(true))));
                // Behind much that waits, a sign comes late.
                $unseen = $events === [] ? $unseen : 0;
                foreach ($events as $event) {
                    $gathered->add($event);
                    if ($event instanceof Committed && $gathered->isDue()) {
                        $schema = $this->work($log, $ledger, $rows, $gathered, $schema, $beats, $unseen);
                        $pause = self::SHORTEST_PAUSE;
                    }
                }
                if ($gathered->last() !== null && !$log->hasMore()) {
                    $schema = $this->work($log, $ledger, $rows, $gathered, $schema, $beats, $unseen);
                    $pause = self::SHORTEST_PAUSE;
                }
            }
        } finally {
            $log->close();
        }
    }

    /** Goes on where it was, or ends everything once. */
    private function begin(Log $log, SqlLedger $ledger): ?string
    {
        $stored = $this->state->position();
        if ($stored !== null && !$this->isLost) {
            try {
                $log->begin($stored[0]);

                return $stored[1];
            } catch (LogUnreadable $exception) {
                if (!$exception->isPositionLost) {
                    throw $exception;
                }
                $this->logger->warning('Everything ends once: {why}', ['why' => $exception->getMessage()]);
            }
        }
        // What is committed behind it comes by the log.
        $position = $log->end();
        $schema = $log->fingerprint();
        $this->everything($ledger, $log, 'it is not known what was changed before');
        $this->step('acknowledge');
        $this->state->acknowledge($position, $schema);
        $log->begin($position);
        $this->isLost = false;

        return $schema;
    }

    /**
     * @param list<Rows> $rows
     */
    private function work(
        Log $log,
        SqlLedger $ledger,
        array $rows,
        Gathered $gathered,
        ?string $schema,
        Beats $beats,
        int &$unseen,
    ): ?string {
        $last = $gathered->last();
        if ($last === null) {
            return $schema;
        }
        $this->step('await');
        $log->await($last, $gathered->transactions());
        $print = $log->fingerprint();
        if ($print !== $schema) {
            $gathered->doubt('the schema is another one');
        }
        if ($gathered->isAll()) {
            $this->everything($ledger, $log, (string) $gathered->why());
        } else {
            $this->step('end');
            $this->end($ledger, $rows, $gathered);
        }
        $this->step('acknowledge');
        $this->state->acknowledge($last->position, $print);
        $log->acknowledge($last->position);
        $beat = $gathered->beat($this->followed->name);
        $this->rows += $gathered->rows();
        ++$this->work;
        $this->count('larder_follow_work_total', 1);
        $this->count('larder_follow_rows_total', $gathered->rows());
        $gathered->done();
        if ($beat !== null && ($age = $beats->age($beat)) !== null) {
            $this->step('beat');
            $unseen = 0;
            $this->lag = $age;
            $this->failure = null;
            $this->shine(static fn(): float => $beats->age($beat) ?? INF);
            $this->tell($last->position);
        }

        return $print;
    }

    /** @param list<Rows> $rows */
    private function end(SqlLedger $ledger, array $rows, Gathered $gathered): void
    {
        $gathered->look();
        $told = $gathered->told();
        $untold = $gathered->untold();
        if ($told !== []) {
            foreach ($rows as $ends) {
                $ends->ends()->end($told);
            }
        }
        $this->step('raise');
        for ($from = 0; $from < \count($untold); $from += self::AT_ONCE) {
            // The connection's rows end with it, and so do the pages and all that listens.
            $ledger->transaction(static function (Change $change) use ($gathered, &$from, &$untold): void {
                // BEGIN has looked at the schema anew.
                if ($gathered->look()) {
                    [$untold, $from] = [$gathered->untold(), 0];
                }
                foreach (\array_slice($untold, $from, self::AT_ONCE) as $name) {
                    $change->name($name, true);
                }
            });
        }
        $this->step('gates');
        $names = [...$told, ...$untold];
        foreach ($names === [] ? [] : $this->followed->gates as $store) {
            $gates = new WriterGates(new GateEntries($store), self::GATE);
            $gates->close($names);
            $gates->open(true);
        }
        $this->names += \count($names);
        $this->count('larder_follow_names_total', \count($names));
    }

    private function everything(SqlLedger $ledger, Log $log, string $why): void
    {
        $this->step('everything');
        $log->facts()->refresh();
        $ledger->connection()->tracker()->schema()->forget();
        $ledger->flush();
        foreach ([...$this->followed->rows, ...$this->followed->gates] as $store) {
            if ($store->clear() !== Outcome::Done) {
                throw LogUnreadable::because('a store does not answer, so that what it has cannot end');
            }
        }
        ++$this->whole;
        $this->count('larder_follow_everything_total', 1);
        $this->logger->info('Everything ended: {why}', ['why' => $why]);
    }

    /**
     * Rows may be handed out, and pages served, for as long as maxLag after the beat was sent.
     *
     * @param Closure(): float $age of the beat
     */
    private function shine(Closure $age): void
    {
        foreach ($this->followed->rows as $store) {
            (new Heartbeat($store))->beat($this->followed->settings->maxLag, $age);
        }
        foreach ($this->followed->pages as $pages) {
            // The clock is read first: who is stopped between the two promises less.
            ($this->serve)($pages, microtime(true) - $age() + $this->followed->settings->maxLag);
        }
    }

    private function log(TrackedConnection $connection): Log
    {
        $queries = new Queries(($connection->own()->another())());

        return match ($connection->dialect()->log()) {
            RowLog::Binary => new BinaryLog($queries, $this->followed->log, $this->followed->settings->program),
            RowLog::Logical => new LogicalSlot($queries, 'larder_' . $this->followed->name),
            null => throw UnsupportedDatabase::hasNoLog($connection->dialect()->driver()),
        };
    }

    /** @param non-empty-string $name */
    private function count(string $name, int $by): void
    {
        if ($by > 0) {
            $this->followed->settings->counters->add($name, $by);
        }
    }

    private function step(string $next): void
    {
        if ($this->step !== null) {
            ($this->step)($next);
        }
    }

    private function tell(?Position $position): void
    {
        $this->state->tell([
            'name' => $this->followed->name,
            'pid' => getmypid(),
            'at' => microtime(true),
            'lag' => $this->lag,
            'max_lag' => $this->followed->settings->maxLag,
            'position' => $position?->text() ?? ($this->state->position()[0] ?? null)?->text(),
            'work' => $this->work,
            'rows' => $this->rows,
            'names' => $this->names,
            'everything' => $this->whole,
            'failures' => $this->failures,
            'failure' => $this->failure,
        ]);
    }
}
