<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Dialect;

/** A column of a random table. */
final readonly class Column
{
    /**
     * @param string $type      as it is declared
     * @param string $collation '': none is declared
     * @param bool   $isMade    whether it is a generated column, which nobody writes
     */
    public function __construct(
        public string $name,
        public string $type,
        public string $collation = '',
        public bool $isMade = false,
    ) {}

    public function holdsText(): bool
    {
        return preg_match('/CHAR|CLOB|TEXT/i', $this->type) === 1 && !$this->holdsIntegers();
    }

    public function holdsIntegers(): bool
    {
        return stripos($this->type, 'INT') !== false;
    }

    public function declared(): string
    {
        return rtrim("$this->name $this->type" . ($this->collation === '' ? '' : " COLLATE $this->collation"));
    }

    /** @return ColumnType|null how a registry declares it; null: not at all */
    public function columnType(Dialect $dialect): ?ColumnType
    {
        $types = $this->collation === 'NOCASE'
            ? [ColumnType::TextNoCase]
            : [ColumnType::Text, ColumnType::Integer];
        foreach ($types as $type) {
            $isInteger = preg_match('/INT|NUM|DEC/', $this->type) === 1;
            if ($dialect->catalog()->fits($type, strtoupper($this->type), $this->collation)
                && ($type === ColumnType::Integer) === $isInteger) {
                return $type;
            }
        }

        return null;
    }
}
