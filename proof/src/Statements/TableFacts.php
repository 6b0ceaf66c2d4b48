<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use Larder\Sql\Schema\Catalog;
use Larder\Sql\Schema\Table;

/** What a database says of one table, as far as names depend on it. */
final readonly class TableFacts
{
    /**
     * @param array<string, array{string, string}> $columns type and collation of each; a number has none: ''
     * @param list<string>                         $key     columns of the primary key
     * @param list<list<string>>                   $uniques columns of each other key that is unique
     */
    public function __construct(
        public string $name,
        public array $columns,
        public array $key,
        public array $uniques,
    ) {}

    /** As Larder's schema has it. */
    public function table(Catalog $catalog): Table
    {
        $columns = [];
        foreach ($this->columns as $name => [$type, $collation]) {
            $compares = $catalog->typeOf(strtoupper($type), strtoupper($collation));
            if ($compares !== null) {
                $columns[$name] = $compares;
            }
        }
        $key = \count($this->key) === 1 && isset($columns[$this->key[0]]) ? $this->key[0] : '';

        return new Table($this->name, $key, $columns, [], array_map(strtolower(...), array_keys($this->columns)));
    }
}
