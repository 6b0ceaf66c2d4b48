<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\Database;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\Read;
use Larder\Tests\Support\Sql\ReadMaker;
use Larder\Tests\Support\Sql\Schema;
use Larder\Tests\Support\Sql\WriteMaker;

/**
 * One random schema: many reads are kept, and judged after each of many writes.
 *
 * @phpstan-import-type Rows from Watch
 */
final class Round
{
    private const READS = 40;
    private const WRITES = 30;

    /** The step of a writer behind which it stands still at the latest. */
    private const LATEST = 9;

    /** Reads that are first made while a write goes on. */
    private const NEW = 3;

    /** Reads of an overlap of few steps, so that renderers begin and end while a writer stands still. */
    private const FEW = 3;

    /** Of 100 steps, those that whoever did the last one does too, where a renderer stops while it registers. */
    private const AGAIN = 80;

    /** Drops of untouched rows that are printed. */
    private const EXAMPLES = 5;

    /** How often a read is made anew that cannot be stored. */
    private const TRIES = 4;

    private readonly Choices $choices;
    private readonly Schema $schema;
    private readonly Registry $registry;
    private readonly ReadMaker $reads;
    private readonly WriteMaker $writes;

    /** Whether writers stand still at times while renderers begin and end. */
    private readonly bool $pauses;

    /** @var list<list<Command>> */
    private array $written = [];

    /** @var array<string, int> how many writes had been done when a read was stored, by page */
    private array $since = [];

    /** @var array<string, int> what all pages had in common when a read was stored, by page */
    private array $marks = [];

    public function __construct(
        int $seed,
        Database $database,
        private readonly Host $host,
        private readonly string $name,
        private readonly Tally $tally,
        private readonly Blindness $blindness = Blindness::None,
        bool $declares = true,
        private readonly bool $stopsInside = false,
    ) {
        $this->choices = $choices = new Choices($seed);
        $words = $database->words();
        $theme = $database->theme($seed);
        $this->pauses = $theme === null || $theme->pauses();
        $this->schema = $theme?->schema($choices, $database) ?? $database->schema($choices);
        $this->registry = $declares ? $this->schema->registry($database->dialect()) : new Registry();
        $declared = array_filter(
            $this->schema->tables,
            fn(RandomTable $table): bool => $this->registry->find($table->name) !== null
                || (!$declares && !$table->isView),
        );
        $this->reads = new ReadMaker($choices, $words, $this->schema->tables, array_values($declared), $theme);
        $this->writes = new WriteMaker($choices, $words, $this->schema, $theme);
    }

    /** @return list<Finding> the first of each kind */
    public function play(int $pairs): array
    {
        $trial = new Trial(
            $this->host,
            $this->name,
            $this->schema,
            $this->registry,
            $this->blindness,
            $this->tally->causes,
            $this->stopsInside,
        );
        ++$this->tally->schemas;
        $findings = [];
        try {
            $stored = [];
            for ($i = 0; $i < self::WRITES && $this->tally->pairs < $pairs && $findings === []; ++$i) {
                [$stored, $findings] = $this->fill($trial, $stored);
                if ($stored === [] && $i > 2) {
                    // Of some connections, and of some schemas, nothing is stored.
                    break;
                }
                $commands = $this->writes->make();
                $this->written[] = $commands;
                [$wrong, $overlapped] = $this->write($trial, $commands, $stored);
                ++$this->tally->writes;
                $touched = $trial->touched();
                // Nobody can tell which rows were touched and then taken back.
                $touched = str_contains(implode(' ', $commands), 'ROLLBACK TO') ? null : $touched;
                $wrong ??= $trial->difference();
                if ($wrong !== null) {
                    $findings[] = $this->finding($wrong, null, \count($this->written) - 1);
                }
                array_push($findings, ...$overlapped);
                foreach ($stored as $n => $one) {
                    $findings = [...$findings, ...$this->judge($trial, $one, $touched, $commands)];
                    if (!$trial->isKept($one)) {
                        $trial->forget($one);
                        unset($stored[$n]);
                    }
                }
            }
        } finally {
            $this->tally->refusedWrites += $trial->refused;
            $trial->remove();
            unset($trial);
            // Connections end with their last reference.
            gc_collect_cycles();
        }

        return \array_slice($findings, 0, 1);
    }

    /**
     * Writes, and renders anew while it does, what has been stored.
     *
     * @param list<Command>          $commands
     * @param array<int, StoredRead> $stored
     *
     * @return array{string|null, list<Finding>} what happened otherwise than without Larder
     */
    private function write(Trial $trial, array $commands, array $stored): array
    {
        if (!$this->host->overlaps() || $stored === [] || $this->choices->happens(5)) {
            return [$trial->write($commands), []];
        }
        $reads = array_map(
            static fn(StoredRead $one): Read => $one->read,
            $this->choices->some(
                array_values($stored),
                $this->stopsInside || !$this->choices->happens(75) ? self::FEW : self::READS,
            ),
        );
        $groups = array_chunk($reads, max(1, intdiv(\count($reads) - 1, $trial->renderers()) + 1));
        // What two renderers read for the first time: one may learn a column set that the other uses.
        $pause = $this->pauses && $this->choices->happens(50) ? $this->choices->number(1, self::LATEST) : null;
        $new = array_map(
            fn(): Read => $this->reads->make($pause !== null),
            range(1, $pause === null ? self::NEW : 4 * self::NEW),
        );
        foreach ($groups as $n => $group) {
            $groups[$n] = $n === \count($groups) - 1 ? [...$group, ...$new] : [...$new, ...$group];
        }
        $steps = [];
        // The writer has fewer steps than those who render many pages.
        $share = $this->choices->one([10, 30, 60]);
        [$wrong, $made] = $trial->overlap(
            $groups,
            $commands,
            function (array $alive) use (&$steps, $share, $pause): int {
                return $steps[] = $this->next($alive, $steps, $share, $pause);
            },
        );
        $findings = [];
        foreach ($made as $one) {
            ++$this->tally->pairs;
            ++$this->tally->overlapped;
            if ($trial->now($one) !== $one->result) {
                ++$this->tally->changed;
                $problem = self::wrong($trial, $one);
                if ($problem !== null) {
                    $findings[] = $this->finding($problem, $one->read, \count($this->written) - 1, $one->steps());
                }
            }
            $trial->forget($one);
        }

        return [$wrong, $findings];
    }

    /**
     * @param list<int> $alive who is not done; 0: the writer
     * @param list<int> $steps who did each step until now
     * @param int       $share of 100 steps, those that are the writer's for certain
     * @param int|null  $pause the step behind which the writer stands still; null: none
     *
     * @return int who does the next step
     */
    private function next(array $alive, array $steps, int $share, ?int $pause): int
    {
        $isAlive = \in_array(0, $alive, true);
        $last = $steps[\count($steps) - 1] ?? null;
        if ($this->stopsInside && \in_array($last, $alive, true) && $this->choices->happens(self::AGAIN)) {
            return $last;
        }
        if ($pause === null) {
            return $isAlive && $this->choices->happens($share) ? 0 : $this->choices->one($alive);
        }
        // One renderer after the other, while the writer stands between two of its steps.
        $isPaused = !$isAlive || \count(array_keys($steps, 0, true)) >= $pause;

        return $isPaused ? array_values(array_diff($alive, [0]))[0] ?? 0 : 0;
    }

    /**
     * @param array<int, StoredRead> $stored
     *
     * @return array{array<int, StoredRead>, list<Finding>}
     */
    private function fill(Trial $trial, array $stored): array
    {
        $findings = [];
        for ($i = self::TRIES * self::READS; $i > 0 && \count($stored) < self::READS; --$i) {
            $read = $this->reads->make();
            $made = $trial->record($read);
            ++$this->tally->reads;
            if ($made instanceof StoredRead) {
                $this->marks[$made->page] = $trial->mark();
                $stored[] = $made;
                $this->since[$made->page] = \count($this->written);
                $this->tally->equalities += $read->equality === null ? 0 : 1;
                $this->tally->narrow += $read->equality !== null && $this->isNarrow($made) ? 1 : 0;
            } else {
                ++$this->tally->refusedReads;
                $this->tally->refusals->count((string) preg_replace(
                    ['/^(error SQLSTATE\[\w+\]).*/s', '/\b(item|tag|node|word|log|entry|view\d)\b/i'],
                    ['$1', '…'],
                    $made,
                ));
                if (str_starts_with($made, '!')) {
                    $findings[] = $this->finding(substr($made, 1), $read, \count($this->written));
                }
            }
        }

        return [$stored, $findings];
    }

    /**
     * @param Rows|null $touched
     * @param list<Command> $commands
     *
     * @return list<Finding> none or one
     */
    private function judge(Trial $trial, StoredRead $stored, ?array $touched, array $commands): array
    {
        ++$this->tally->pairs;
        $isKept = $trial->isKept($stored);
        if ($trial->now($stored) !== $stored->result) {
            ++$this->tally->changed;
            $wrong = self::wrong($trial, $stored);
            $this->tally->dropped += $isKept ? 0 : 1;
            $written = implode(' ', $commands);
            // An index may decide which of equal values is returned, and SQLite 3.40 errs with some.
            $isIndex = str_contains($written, 'INDEX') && ($stored->read->isArbitrary || \count($commands) === 1);

            return $wrong === null || $isIndex
                ? []
                : [$this->finding($wrong, $stored->read, $this->since[$stored->page] ?? 0)];
        }
        if (!$isKept) {
            ++$this->tally->dropped;
            ++$this->tally->needless;
            if ($stored->read->equality !== null) {
                $this->count($trial, $stored, $stored->read->equality, $touched);
            }
        }

        return [];
    }

    /** @return string|null what is wrong if the result of this read has changed; null: nothing */
    public static function wrong(Trial $trial, StoredRead $stored): ?string
    {
        return match (true) {
            $trial->isKept($stored) => 'stale: its page was kept',
            $trial->holds($stored) => 'stale: its names keep their versions',
            default => null,
        };
    }

    /**
     * Counts a drop of a read whose result is the same.
     *
     * @param array{table: string, column: string, value: int|string} $equality
     * @param Rows|null $touched
     */
    private function count(Trial $trial, StoredRead $stored, array $equality, ?array $touched): void
    {
        ['table' => $table, 'column' => $column, 'value' => $value] = $equality;
        if ($trial->holds($stored)) {
            // The writer's COMMIT failed. The drop was before it.
            return;
        }
        if ($trial->mark() !== ($this->marks[$stored->page] ?? null)) {
            ++$this->tally->whole;

            return;
        }
        if ($trial->wasBulk($stored, $table)) {
            ++$this->tally->bulk;

            return;
        }
        $columns = array_column($this->table($table)->columns ?? [], 'name');
        $at = array_search($column, $columns, true);
        $under = array_filter($touched[$table] ?? [], fn(array $row): bool => !$this->isNarrow($stored)
            || !\is_int($at) || \count($row) < \count($columns) || self::mayEqual($row[$at] ?? null, $value));
        if ($touched !== null && $under === []) {
            ++$this->tally->untouched;
            $this->example($stored);
        }
    }

    private function example(StoredRead $stored): void
    {
        if (\count($this->tally->examples) < self::EXAMPLES) {
            $names = implode(' ', $stored->reads->names());
            $commands = implode('; ', $this->written[\count($this->written) - 1] ?? []);
            $this->tally->examples[] = "    $names: {$stored->read->query}, dropped by $commands";
        }
    }

    /** Whether a value in a row may be one that the database finds by another. */
    private static function mayEqual(mixed $stored, int|string $value): bool
    {
        return \is_scalar($stored) && (
            strtolower(trim((string) $stored)) === strtolower(trim((string) $value))
            || (is_numeric($stored) && is_numeric($value) && (float) $stored === (float) $value)
        );
    }

    private function isNarrow(StoredRead $stored): bool
    {
        $tables = array_map(strtolower(...), $stored->reads->tables());

        return array_intersect(array_map(strtolower(...), $stored->reads->names()), $tables) === [];
    }

    private function table(string $name): ?RandomTable
    {
        foreach ($this->schema->tables as $table) {
            if ($table->name === $name) {
                return $table;
            }
        }

        return null;
    }

    /** @param list<int>|null $steps */
    private function finding(string $wrong, ?Read $read, int $since, ?array $steps = null): Finding
    {
        return new Finding(
            $wrong,
            $this->schema,
            $this->registry,
            $read,
            \array_slice($this->written, 0, $since),
            \array_slice($this->written, $since),
            $steps,
        );
    }
}
