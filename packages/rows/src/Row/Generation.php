<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Table as Declared;
use TypeError;
use ValueError;

/**
 * @internal What the store says of a table: which entries are of now, and how its rows are named, so that a hit needs
 * no database.
 *
 * @phpstan-type Stored array{id: string, integer: bool, key: string, types: array<string, string>,
 *     sets: list<non-empty-list<string>>, columns: list<string>|null}
 */
final readonly class Generation
{
    /** Whether each integer is a key as the table has it. */
    public bool $isNumbered;

    /** @param string $id that no other generation ever has */
    private function __construct(
        public string $id,
        public Declared $table,
    ) {
        $this->isNumbered = ($table->columns[$table->key] ?? null) === ColumnType::Integer;
    }

    public static function begin(Declared $table): self
    {
        return new self(bin2hex(random_bytes(8)), $table);
    }

    /** @return self|null null: there is none that can be read, or the table is closed */
    public static function of(string $name, mixed $stored): ?self
    {
        $parts = ['id', 'key', 'types', 'sets', 'columns'];
        if (!\is_array($stored) || array_diff($parts, array_keys($stored)) !== []) {
            return null;
        }
        try {
            /** @var Stored $stored */
            return new self($stored['id'], new Declared(
                $name,
                $stored['key'],
                array_map(ColumnType::from(...), $stored['types']),
                $stored['sets'],
                $stored['columns'],
            ));
        } catch (TypeError|ValueError) {
            // Another version of this class has other parts.
            return null;
        }
    }

    /** The same one, where more sets are known. */
    public function with(Declared $table): self
    {
        return new self($this->id, $table);
    }

    /** @return Stored */
    public function stored(): array
    {
        return [
            'id' => $this->id,
            'integer' => $this->isNumbered,
            'key' => $this->table->key,
            'types' => array_map(static fn(ColumnType $type): string => $type->value, $this->table->columns),
            'sets' => $this->table->sets,
            'columns' => $this->table->allColumns,
        ];
    }
}
