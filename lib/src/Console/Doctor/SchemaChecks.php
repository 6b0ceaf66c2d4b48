<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;

/** Compares the declared tables with those of the database. */
final readonly class SchemaChecks
{
    public function __construct(
        private RecordingPdo $database,
        private Registry $registry,
    ) {}

    /** @return list<Check> */
    public function checks(): array
    {
        $checks = [];
        foreach ($this->registry->tables() as $table) {
            $checks = [...$checks, ...$this->ofTable($table)];
        }
        $advice = $this->database->dialect()->advice();
        $isGood = $this->database->run($advice['query'])->fetchColumn() === $advice['good'];
        $name = 'the database is set up for readers beside a writer';

        return [
            ...$checks,
            ...$this->sideEffects(),
            $isGood ? Check::ok($name) : Check::remark($name, $advice['remedy']),
        ];
    }

    /** @return list<Check> as far as the table is there */
    private function ofTable(Table $table): array
    {
        $dialect = $this->database->dialect();
        ['columns' => $columns, 'text' => $text] = $dialect->columns();
        $types = [];
        foreach ($this->database->run($columns, [$table->name])->fetchAll() as $row) {
            /** @var array{name: string, type: string} $row */
            $types[$row['name']] = $row['type'];
        }
        $isTable = $this->database->run($dialect->tableQuery(), [$table->name])->fetchColumn() !== false;
        $there = "{$table->name} is a table";
        if (!$isTable) {
            return [Check::failed($there, $types === []
                ? 'there is none of this name: create it, or take it out of the registry'
                : 'it is a view, whose changes nobody announces: declare the tables behind it')];
        }
        $missing = array_diff(array_map(strtolower(...), array_keys($table->columns)), array_keys($types));
        $has = "{$table->name} has the declared columns";
        if ($missing !== []) {
            return [Check::ok($there), Check::failed($has, \sprintf(
                'there is no %s: add it, or take it out of the registry, and run larder deploy',
                implode(', ', $missing),
            ))];
        }
        $sql = $this->database->run($text, [$table->name])->fetchColumn();
        $wrong = [];
        foreach ($table->columns as $column => $type) {
            $collation = self::collation(\is_string($sql) ? $sql : '', $column);
            $real = $types[strtolower($column)];
            if (!$dialect->fits($type, $real, $collation)) {
                $wrong[] = \sprintf(
                    '%s is declared as %s and is %s',
                    $column,
                    $type->value,
                    $collation === '' ? ($real === '' ? 'without a type' : $real) : trim("$real COLLATE $collation"),
                );
            }
        }

        return [
            Check::ok($there),
            Check::ok($has),
            Check::that(
                "{$table->name} compares as declared",
                $wrong === [],
                implode('; ', $wrong) . ': the database finds rows by values that Larder takes for others',
            ),
        ];
    }

    /** @return list<Check> what a statement on a declared table may write besides */
    private function sideEffects(): array
    {
        $checks = [];
        foreach ($this->database->run($this->database->dialect()->sideEffects())->fetchAll() as $row) {
            /** @var array<string, scalar|null> $row */
            $text = static fn(string $column): string => (string) ($row[$column] ?? '');
            $table = $this->registry->find($text('name'));
            $other = $this->registry->find($text('other'));
            $actions = array_diff([$text('on_delete'), $text('on_update')], ['NO ACTION', 'RESTRICT', '']);
            if ($text('kind') === 'trigger' && $table !== null) {
                $name = "{$table->name} has no trigger";
                $checks[$name] = Check::remark($name, 'what it writes has to be declared, and made known, too');
            } elseif ($text('kind') === 'key' && $table !== null && $other !== null && $actions !== []) {
                $name = "a change of {$table->name} changes no row of {$other->name}";
                $checks[$name] = Check::remark($name, \sprintf(
                    'a foreign key does (%s): such a change has to make %s known too',
                    implode(', ', array_unique($actions)),
                    $other->name,
                ));
            }
        }

        return array_values($checks);
    }

    /** @return string in upper case; '': none is declared */
    private static function collation(string $sql, string $column): string
    {
        $pattern = '/[(,]\s*["`\[]?' . preg_quote($column, '/') . '["`\]]?\s(?:[^,()]|\([^()]*\))*?'
            . '\bCOLLATE\s+["`\[]?(\w+)/i';

        return preg_match($pattern, $sql, $found) === 1 ? strtoupper($found[1]) : '';
    }
}
