<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;

/**
 * The announcement that data changed, made inside the writer's transaction.
 *
 * Names told here are all that is known of the change. Where the connection's statements are followed, it is a
 * RowChange, which knows what they change: names only add to that.
 */
class Change
{
    /** @var array<string, Dependency> names given by hand, which may be too few */
    private array $given = [];

    /** @var array<string, true> names of tables of which everything was told */
    private array $trusted = [];

    /**
     * @internal Gates or a ledger open it.
     *
     * @param Names                                  $known what may be named
     * @param (Closure(list<Dependency>): void)|null $check see check()
     */
    public function __construct(
        private readonly Names $known,
        private readonly ?Closure $check = null,
    ) {}

    /**
     * Announces a name that is known without reading rows. The name of a row or a set announces its table's name too.
     *
     * A row's name leaves out the sets that show the row. So a name of a table that no statement of the transaction and
     * no RowChange::row() emits too counts as a change of its table in bulk, unless it is trusted.
     *
     * @param string|Dependency $name  a `#word`, and any word if the registry declares nothing
     * @param bool              $trust that the names told are all that this transaction changes in this table, whatever
     *     it writes: one that is forgotten leaves old pages and values behind
     *
     * @throws UnknownName
     */
    final public function name(string|Dependency $name, bool $trust = false): void
    {
        foreach (array_reverse($this->known->named($name)) as $one) {
            $isOfTable = $one->table !== '' && !$one->isAll();
            // One by one: PHP copies an array that a property's += adds to.
            $this->given[$one->name] ??= $isOfTable && $one->name === $one->table
                ? Dependency::table($one->table)
                : $one;
            if ($isOfTable) {
                $this->given[$one->table] ??= Dependency::table($one->table);
            }
            if ($trust) {
                $this->trusted[$one->table] = true;
            }
        }
    }

    /**
     * Makes sure that nobody is served the old data after COMMIT. A writer with its own transaction calls it right
     * before COMMIT; for other writers it is called. Names that are announced after it come too late.
     *
     * @throws ChangeFailed if it cannot be sure; then the writer must roll back
     */
    final public function check(): void
    {
        if ($this->check !== null) {
            ($this->check)($this->names());
        }
    }

    /** @return list<Dependency> what was told, and what was written */
    final public function names(): array
    {
        $emitted = $this->emitted();
        $names = $emitted + $this->given;
        foreach (array_diff_key($this->given, $emitted) as $name) {
            if ($name->table !== '' && !isset($this->trusted[$name->table])) {
                $all = Dependency::all($name->table);
                $names[$all->name] = $all;
            }
        }

        return array_values($names);
    }

    /** @return list<Dependency> the names that were given by hand, and nothing else */
    final public function given(): array
    {
        return array_values($this->given);
    }

    /** @return array<string, Dependency> by their text, what is known of what was written */
    protected function emitted(): array
    {
        return [];
    }

    /** @return array<string, true> names of tables of which everything was told */
    final protected function trusted(): array
    {
        return $this->trusted;
    }
}
