<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Larder\Sql\Exception\InvalidRegistry;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\Table;

/**
 * @internal Where a registry says of a database's columns what is not so. A wrong type would leave old pages behind.
 */
final readonly class SchemaDrift
{
    public function __construct(private TrackedConnection $connection) {}

    /**
     * @return array<string, string> what is wrong, by `table` or `table.column`; a table that is not there is not
     *     compared
     */
    public function found(): array
    {
        $drift = [];
        foreach ($this->connection->registry()->declared() as $table) {
            $drift += $this->ofTable($table);
        }

        return $drift;
    }

    /** What is wrong with a table whose engine has no transactions. */
    public static function withoutTransactions(string $table, string $engine): string
    {
        return \sprintf(
            '%1$s is a %2$s table: nothing that is read from it is stored, and each statement that writes to it drops '
                . 'every page, since %2$s has no transactions: ALTER TABLE %1$s ENGINE = InnoDB',
            $table,
            $engine,
        );
    }

    /** @throws InvalidRegistry if anything is found */
    public function refuse(): void
    {
        $found = $this->found();
        if ($found !== []) {
            throw InvalidRegistry::because(implode('; ', $found));
        }
    }

    /** @return array<string, string> */
    private function ofTable(Table $table): array
    {
        $dialect = $this->connection->dialect();
        $catalog = $dialect->catalog();
        $rows = $this->connection->own()->rows($catalog->columns(), [$table->name]);
        $types = array_column($rows, 'type', 'name');
        if ($types === []) {
            return [];
        }
        if ($this->connection->own()->rows($catalog->tableQuery(), [$table->name]) === []) {
            $engines = array_column($this->connection->own()->rows($catalog->tables()), 'engine', 'name');
            if (isset($engines[$table->name])) {
                return [$table->name => self::withoutTransactions($table->name, (string) $engines[$table->name])];
            }

            return [$table->name => \sprintf(
                '%s is a view, whose changes nobody announces: declare the tables behind it',
                $table->name,
            )];
        }
        $collations = array_column($rows, 'collation', 'name');
        if ($catalog->tableText() !== '') {
            $sql = $this->connection->own()->rows($catalog->tableText(), [$table->name])[0]['sql'] ?? '';
            $tokens = Lexer::tokens((string) $sql, $dialect->grammar()) ?? [];
            $collations = Schema::collations($tokens, array_map(strval(...), array_keys($types)));
        }
        $drift = [];
        foreach ($table->columns as $column => $type) {
            $at = $table->name . '.' . $column;
            $declared = $types[strtolower($column)] ?? null;
            $collation = (string) ($collations[strtolower($column)] ?? '');
            if (!\is_string($declared)) {
                $drift[$at] = \sprintf('%s is not there', $at);
            } elseif (!$dialect->catalog()->fits($type, $declared, $collation)) {
                $drift[$at] = \sprintf(
                    '%s is declared as "%s" and is %s%s, so the database finds values equal that are not equal here: '
                        . 'use %s',
                    $at,
                    $type->value,
                    $declared === '' ? 'of no type' : $declared,
                    $collation === '' ? '' : ' COLLATE ' . $collation,
                    self::fitting($dialect, $declared, $collation),
                );
            }
        }

        return $drift;
    }

    private static function fitting(Dialect $dialect, string $declared, string $collation): string
    {
        $fits = static fn(ColumnType $type): bool => $dialect->catalog()->fits($type, $declared, $collation);
        $names = array_map(
            static fn(ColumnType $type): string => 'ColumnType::' . $type->name,
            array_filter(ColumnType::cases(), $fits),
        );

        return $names === [] ? 'another column' : implode(' or ', $names);
    }
}
