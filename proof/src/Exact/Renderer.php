<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Fiber;
use Larder\Exception\LarderException;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tests\Support\Sql\Query;
use Larder\Tests\Support\Sql\Read;
use PDOException;

/** One that reads and stores pages. In a fiber it stops before each of its steps at which it holds no lock. */
final readonly class Renderer
{
    private const ROOM = 1 << 40;

    /** While it registers a page, so that a writer may do all that it has to do. */
    private const STOPS = 4;

    /**
     * @param Closure(list<array<array-key, mixed>>, Read): string $bag of rows
     * @param bool $stopsInside whether it stops while it registers, too
     */
    public function __construct(
        private RecordingPdo $connection,
        private SqlLedger $ledger,
        private KeptPages $pages,
        private Blindness $blindness,
        private Closure $bag,
        private Steps $steps,
        private bool $stopsInside = false,
    ) {}

    /**
     * Reads in one snapshot, and stores what can be stored.
     *
     * @param array<string, Read> $reads by page
     * @param bool $stops also while the snapshot is open, which locks no rows and yet keeps others from changing tables
     *
     * @return array<string, StoredRead|string> why it was not stored
     */
    public function store(array $reads, bool $stops = false): array
    {
        $outer = new RecordedReads($this->connection->registry());
        try {
            $made = $this->ledger->snapshot($outer, function () use ($reads, $stops): array {
                $begun = $this->steps->done;
                self::stop($stops);
                $made = [];
                foreach ($reads as $page => $read) {
                    $times = $stops ? [$this->steps->done] : [];
                    $one = $this->record($page, $read, $stops);
                    $made[$page] = $one instanceof StoredRead
                        ? new StoredRead($read, $page, $one->reads, $one->result, [$begun, ...$times, ...$one->times])
                        : $one;
                    self::stop($stops);
                }

                return $made;
            });
        } catch (PDOException|LarderException $exception) {
            return array_fill_keys(array_keys($reads), $exception->getMessage());
        }
        $ended = $stops ? [$this->steps->done] : [];

        return array_map(
            fn(StoredRead|string $one): StoredRead|string => $one instanceof StoredRead
                ? $this->published($one->at(...$ended))
                : $one,
            $made,
        );
    }

    /** @return StoredRead|string with the time of the step between the rows and their versions */
    private function record(string $page, Read $read, bool $stops): StoredRead|string
    {
        $reads = new RecordedReads($this->connection->registry());
        try {
            $rows = $this->ledger->snapshot(
                $reads,
                function () use ($read, $stops): array {
                    $rows = Query::rows($read->query->run($this->connection));
                    self::stop($stops);

                    return $rows;
                },
            );
        } catch (PDOException $exception) {
            return 'error ' . $exception->getMessage();
        }
        $reason = $reads->refusal() ?? $reads->clock();
        if ($reason !== null) {
            return $reason;
        }

        return new StoredRead(
            $read,
            $page,
            $this->blindness === Blindness::Reads ? $reads->unnamed() : $reads,
            ($this->bag)($rows, $read),
            $stops ? [$this->steps->done] : [],
        );
    }

    private function published(StoredRead $stored): StoredRead|string
    {
        $page = $stored->page;
        $this->pages->draft($page);
        self::stop();
        $times = [$this->steps->done];
        $registration = new Registration($page, $page, 'exact', 1, $stored->reads, null, self::ROOM, self::ROOM);
        try {
            $place = function () use ($page, &$times): bool {
                self::stop();
                $times[] = $this->steps->done;

                return $this->pages->keep($page, $page);
            };
            $stamp = function () use (&$times): void {
                for ($i = $this->stopsInside ? self::STOPS : 0; $i > 0; --$i) {
                    self::stop();
                    $times[] = $this->steps->done;
                }
            };
            $publication = $this->ledger->publish($registration, $stamp, $place);
        } catch (LarderException $exception) {
            return $exception->getMessage();
        }

        $stored = $stored->at(...$times);
        // As a value it would be stored even if nobody could register the page.
        return $publication === Publication::Stored || Fiber::getCurrent() !== null ? $stored : $publication->value;
    }

    private static function stop(bool $stops = true): void
    {
        if ($stops && Fiber::getCurrent() !== null) {
            Fiber::suspend();
        }
    }
}
