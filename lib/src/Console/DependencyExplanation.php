<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Dependency\Dependency;
use Larder\Dependency\SqlLedger;
use Larder\Exception\UnknownName;
use Larder\Page\Site;

/** A dependency: the pages that were made from it, and what its changes drop. */
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
        $table = $this->site->registry->get($dependency->table);
        $index = $this->ledger->index();
        $slot = $dependency->slot($this->ledger->state()->read()['slots']);
        $pages = $index->pagesOf($dependency);
        $isBulk = $dependency->name === $table->all()->name;
        $values = [
            'dependency' => $dependency->name,
            'table' => $dependency->table,
            'slot' => $slot,
            'version' => $this->ledger->state()->versions([$slot])[$slot],
            'pages' => $pages,
            // A change of a row is a change of the table too; who tells a bulk change tells nothing narrower.
            'by_any_change' => $isBulk ? [] : array_values(array_diff($index->pagesOf($table->whole()), $pages)),
            'by_bulk_change' => $index->pagesOf($table->all()),
        ];

        return new CommandAnswer($values, [...$this->asked($name, $dependency), ...$this->lines($values, $table->setNames())]);
    }

    /** @return list<string> */
    private function asked(string $name, Dependency $dependency): array
    {
        return $name === $dependency->name ? [] : [\sprintf('%s is %s to the ledger.', $name, $dependency->name)];
    }

    /**
     * @param array{dependency: string, table: string, slot: int, version: int, pages: list<string>, by_any_change: list<string>, by_bulk_change: list<string>} $values
     * @param list<string>                                                                                                                                      $sets
     *
     * @return list<string>
     */
    private function lines(array $values, array $sets): array
    {
        $lines = [
            \sprintf('%s has slot %d, version %d.', $values['dependency'], $values['slot'], $values['version']),
            \sprintf('%s made from it; %s drops them:', Wording::count(\count($values['pages']), 'page'), Wording::cause($values['dependency'])),
            ...Wording::lines($values['pages']),
        ];
        if ($values['by_any_change'] !== []) {
            $lines = [
                ...$lines,
                \sprintf('%s more, which read %s in no narrower way: any change of it drops them too:', Wording::count(\count($values['by_any_change']), 'page'), $values['table']),
                ...Wording::lines($values['by_any_change']),
            ];
        }
        if ($sets !== [] && str_contains($values['dependency'], ':')) {
            $lines[] = \sprintf('A change of the row also drops the pages made from the rows like it, old and new: %s.', implode(', ', $sets));
        }
        if ($values['by_bulk_change'] !== $values['pages']) {
            $lines = [...$lines, \sprintf('A bulk change of %s would drop %s:', $values['table'], Wording::count(\count($values['by_bulk_change']), 'page')), ...Wording::lines($values['by_bulk_change'])];
        }

        return $lines;
    }
}
