<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\SchemaDrift;
use Larder\Sql\Tracker\TrackedConnection;

/** @internal Compares the declared tables with those of the database, and says what the others can be named by. */
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
            $isThere = $this->database->own()->rows($query, [$table->name]) !== [];
            $ofColumns = array_filter(
                $drift,
                static fn(string $at): bool => str_starts_with($at, $table->name . '.'),
                ARRAY_FILTER_USE_KEY,
            );
            $checks = [...$checks, ...($isThere
                ? [Check::ok($there), Check::that($columns, $ofColumns === [], implode('; ', $ofColumns))]
                : [Check::failed($there, $drift[$table->name] ?? 'there is none of this name')])];
        }
        return [
            ...$checks,
            ...array_map(self::learned(...), $this->registry->undeclared()),
            ...$this->withoutTransactions(),
            ...$this->sideEffects(),
            ...$this->advice(),
        ];
    }

    /** @return list<Check> */
    private function advice(): array
    {
        $advice = $this->database->dialect()->advice();
        if ($advice === null) {
            return [];
        }
        $isGood = (string) current($this->database->own()->rows($advice['query'])[0] ?? ['']) === $advice['good'];

        return [$isGood ? Check::ok($advice['check']) : Check::remark($advice['check'], $advice['remedy'])];
    }

    /** @return list<Check> of tables that nobody declared, since the others have a check of their own */
    private function withoutTransactions(): array
    {
        $declared = array_map(
            static fn(Table $table): string => strtolower($table->name),
            $this->registry->declared(),
        );
        $checks = [];
        foreach ($this->database->own()->rows($this->database->dialect()->catalog()->tables()) as $row) {
            $name = (string) $row['name'];
            if ($row['engine'] !== null && !\in_array(strtolower($name), $declared, true)) {
                $remark = SchemaDrift::withoutTransactions($name, (string) $row['engine']);
                $checks[] = Check::remark("$name has transactions", $remark);
            }
        }

        return $checks;
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
        $catalog = $this->database->dialect()->catalog();
        foreach ($this->database->own()->rows($catalog->sideEffects()) as $row) {
            $text = static fn(string $column): string => (string) ($row[$column] ?? '');
            $table = $this->registry->find($text('name'));
            $other = $this->registry->find($text('other'));
            $actions = array_diff([$text('on_delete'), $text('on_update')], ['NO ACTION', 'RESTRICT', '']);
            if ($text('kind') === 'trigger' && $row['other'] === null && $catalog->unseen() !== '') {
                $name = 'the account of the database sees all foreign keys';
                $checks[$name] = Check::remark($name, $catalog->unseen());
            } elseif ($text('kind') === 'trigger' && $table !== null) {
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
