<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

/** The tables of an application, as the database has them: facts, and none of the application's own text. */
final readonly class SchemaFacts
{
    /** @param array<string, TableFacts> $tables by name */
    public function __construct(public array $tables) {}

    public static function read(string $file): self
    {
        /**
         * @var array<string, array{
         *     key: list<string>,
         *     unique: list<list<string>>,
         *     columns: array<string, array{string, string}>,
         * }> $found
         */
        $found = json_decode((string) file_get_contents($file), true, 8, JSON_THROW_ON_ERROR);
        $tables = [];
        foreach ($found as $name => ['key' => $key, 'unique' => $uniques, 'columns' => $columns]) {
            $tables[$name] = new TableFacts($name, $columns, $key, $uniques);
        }

        return new self($tables);
    }
}
