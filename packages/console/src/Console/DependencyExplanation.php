<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Exception\UnknownName;
use Larder\Sql\Ledger\SqlLedger;

/** @internal Explains a dependency: the pages that were made from it, and what its changes drop. */
final readonly class DependencyExplanation
{
    public function __construct(private SqlLedger $ledger) {}

    /** @throws UnknownName which lists near names */
    public function of(string $name): CommandAnswer
    {
        $registry = $this->ledger->connection()->registry();
        $dependency = $registry->parse($name);
        $index = $this->ledger->index();
        $pages = $index->pagesOf($dependency);
        $whole = $index->pagesOf($registry->table($dependency->table));
        $bulk = $index->pagesOf($registry->all($dependency->table));
        $table = $registry->get($dependency->table);
        $values = [
            'dependency' => $dependency->name,
            'table' => $dependency->table,
            'slot' => $dependency->slot($this->ledger->state()->read()['slots']),
            'pages' => $pages,
            'also_by_any_row_change' => $dependency->isAll() ? [] : array_values(array_diff($whole, $pages)),
            'by_bulk_change' => \count($bulk),
            'learned' => $table->isDeclared() ? null : $table->setNames(),
        ];
        $lines = [\sprintf('%d pages were made from %s:', \count($pages), $dependency->name)];
        foreach ($pages as $page) {
            $lines[] = '  ' . $page;
        }
        foreach ($values['also_by_any_row_change'] as $page) {
            $lines[] = \sprintf(
                '  %s  (reads %s in no narrower way: any change of a row drops it)',
                $page,
                $dependency->table,
            );
        }
        $lines[] = \sprintf('A bulk change of %s would drop %d pages.', $dependency->table, \count($bulk));
        if (!$table->isDeclared()) {
            $sets = $table->sets === [] ? 'none' : implode(', ', $table->setNames());
            $lines[] = "$table->name is known from the schema. Column sets that were learned: $sets.";
        }

        return new CommandAnswer($values, $lines);
    }
}
