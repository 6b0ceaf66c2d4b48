<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Dependency\Registry;
use Larder\Dependency\SchemaDrift;
use Larder\Dependency\Table;
use Larder\Dependency\TrackedConnection;

/** Compares the declared tables with those of the database, and says what the others can be named by. */
final readonly class SchemaChecks
{
    private Registry $registry;

    public function __construct(private TrackedConnection $database)
    {
        $this->registry = $database->registry();
    }

    /** @return list<Check> */
    public function checks(): array
    {
        $drift = (new SchemaDrift($this->database))->found();
        $checks = [];
        foreach ($this->registry->declared() as $table) {
            $there = "{$table->name} is a table";
            $columns = "{$table->name} has the declared columns";
            $query = $this->database->dialect()->catalog()->tableQuery();
            $isThere = $this->database->rows($query, [$table->name]) !== [];
            $ofColumns = array_filter(
                $drift,
                static fn(string $at): bool => str_starts_with($at, $table->name . '.'),
                ARRAY_FILTER_USE_KEY,
            );
            $checks = [...$checks, ...($isThere
                ? [Check::ok($there), Check::that($columns, $ofColumns === [], implode('; ', $ofColumns))]
                : [Check::failed($there, $drift[$table->name] ?? 'there is none of this name')])];
        }
        $advice = $this->database->dialect()->advice();
        $isGood = (string) current($this->database->rows($advice['query'])[0] ?? ['']) === $advice['good'];
        $name = 'the database is set up for readers beside a writer';

        return [
            ...$checks,
            ...array_map(self::learned(...), $this->registry->undeclared()),
            ...$this->sideEffects(),
            $isGood ? Check::ok($name) : Check::remark($name, $advice['remedy']),
        ];
    }

    /** What is known of a table that nobody declared. */
    private static function learned(Table $table): Check
    {
        $sets = $table->sets === [] ? 'none yet' : implode(', ', $table->setNames());
        $key = $table->key === '' ? 'no column names its rows' : "its rows are named by $table->key";

        return Check::ok("{$table->name} is known from the schema", "$key; column sets that were learned: $sets");
    }

    /** @return list<Check> what a statement on a declared table may write besides */
    private function sideEffects(): array
    {
        $checks = [];
        foreach ($this->database->rows($this->database->dialect()->catalog()->sideEffects()) as $row) {
            $text = static fn(string $column): string => (string) ($row[$column] ?? '');
            $table = $this->registry->find($text('name'));
            $other = $this->registry->find($text('other'));
            $actions = array_diff([$text('on_delete'), $text('on_update')], ['NO ACTION', 'RESTRICT', '']);
            if ($text('kind') === 'trigger' && $table !== null) {
                $name = "{$table->name} has no trigger";
                $remark = 'a change of it counts as a bulk change of what the trigger writes';
                $checks[$name] = Check::remark($name, $remark);
            } elseif ($text('kind') === 'key' && $table !== null && $other !== null && $actions !== []) {
                $name = "a change of {$table->name} changes no row of {$other->name}";
                $checks[$name] = Check::remark($name, \sprintf(
                    'a foreign key does (%s), so such a change counts as a bulk change of %s',
                    implode(', ', array_unique($actions)),
                    $other->name,
                ));
            }
        }

        return array_values($checks);
    }
}
