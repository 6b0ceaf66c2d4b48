<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/** @internal A statement that only reads, as far as its text tells. */
final readonly class Query
{
    /**
     * @param list<Select> $selects each SELECT in it, at any depth
     * @param list<string> $whole   tables that stand behind IN, lower case
     * @param list<string> $common  names of common tables, lower case
     */
    public function __construct(
        public array $selects,
        public array $whole,
        public array $common,
    ) {}

    /** @return list<string> each name that stands for a table, once; common tables among them */
    public function tables(): array
    {
        $tables = array_combine($this->whole, $this->whole);
        foreach ($this->selects as $select) {
            foreach ($select->sources as $source) {
                if ($source->table !== null) {
                    $tables[$source->table] = $source->table;
                }
            }
        }

        return array_values($tables);
    }
}
