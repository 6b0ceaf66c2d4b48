<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;

/**
 * @internal What a server says of a table that decides whether its changes can be followed row by row. It is asked on
 * the second connection, once for each table and plan.
 *
 * @phpstan-type Facts array{readable: bool, watched: bool, triggered: bool, number: string, sequence: string,
 *     made: list<string>}
 */
final class TableFacts
{
    /** @var array<string, Facts> by table */
    private array $known = [];

    /** @var array{writing: bool, deferring: bool}|null */
    private ?array $all = null;

    /** @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows of a query */
    public function __construct(
        private readonly LockingDialect $dialect,
        private readonly Closure $rows,
    ) {}

    public function forget(): void
    {
        $this->known = [];
        $this->all = null;
    }

    /** Whether its rows can be read before a statement and after it, and are those that the statement writes. */
    public function areSeen(string $table): bool
    {
        $facts = $this->of($table);

        return $facts['readable'] && !$facts['watched'];
    }

    public function isTriggered(string $table): bool
    {
        return $this->of($table)['triggered'];
    }

    /** The column that the database numbers, in lower case; '': none. */
    public function number(string $table): string
    {
        return $this->of($table)['number'];
    }

    /** The sequence that it is numbered by; '': none. */
    public function sequence(string $table): string
    {
        return $this->of($table)['sequence'];
    }

    /** @return list<string> columns that an UPDATE changes although it does not assign them, in lower case */
    public function made(string $table): array
    {
        return $this->of($table)['made'];
    }

    /** Whether a function that a statement calls may write. */
    public function areFunctionsWriting(): bool
    {
        return $this->all()['writing'];
    }

    /** Whether COMMIT may run triggers, or fail by a constraint. */
    public function areDeferred(): bool
    {
        return $this->all()['deferring'];
    }

    /** @return array{writing: bool, deferring: bool} */
    private function all(): array
    {
        $row = $this->all === null ? ($this->rows)($this->dialect->catalog()->allFacts()) : [];

        return $this->all ??= [
            'writing' => (int) ($row[0]['writing'] ?? 1) !== 0,
            'deferring' => (int) ($row[0]['deferring'] ?? 1) !== 0,
        ];
    }

    /** @return Facts */
    private function of(string $table): array
    {
        if (!isset($this->known[$table])) {
            [$query, $parameters] = $this->dialect->catalog()->facts($table);
            $row = ($this->rows)($query, $parameters)[0] ?? [];
            $this->known[$table] = [
                'readable' => (int) ($row['readable'] ?? 0) !== 0,
                'watched' => (int) ($row['watched'] ?? 1) !== 0,
                'triggered' => (int) ($row['triggered'] ?? 1) !== 0,
                'number' => (string) ($row['number'] ?? ''),
                'sequence' => (string) ($row['sequence'] ?? ''),
                'made' => explode(',', (string) ($row['made'] ?? '')),
            ];
        }

        return $this->known[$table];
    }
}
