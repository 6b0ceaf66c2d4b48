<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\SqlLedger;
use Larder\Exception\UnknownName;
use Larder\Page\Site;

/** Explains a dependency: the pages that were made from it, and what its changes drop. */
final readonly class DependencyExplanation
{
    public function __construct(
        private Site $site,
        private SqlLedger $ledger,
    ) {}

    /** @throws UnknownName which lists near names */
    public function of(string $name): CommandAnswer
    {
        $dependency = $this->site->registry->parse($name);
        $index = $this->ledger->index();
        $pages = $index->pagesOf($dependency);
        $whole = $index->pagesOf($this->site->registry->table($dependency->table));
        $bulk = $index->pagesOf($this->site->registry->all($dependency->table));
        $values = [
            'dependency' => $dependency->name,
            'table' => $dependency->table,
            'slot' => $dependency->slot($this->ledger->state()->read()['slots']),
            'pages' => $pages,
            'also_by_any_row_change' => $dependency->isAll() ? [] : array_values(array_diff($whole, $pages)),
            'by_bulk_change' => \count($bulk),
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

        return new CommandAnswer($values, $lines);
    }
}
