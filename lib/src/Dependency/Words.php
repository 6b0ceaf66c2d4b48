<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * Any word of 1 to 500 bytes is a name, where nobody declares tables.
 *
 * @internal
 */
final readonly class Words implements Names
{
    public function named(string|Dependency $name): array
    {
        return [$name instanceof Dependency ? $name : Dependency::word($name)];
    }

    public function reads(array $names): array
    {
        $reads = [];
        foreach ($names as $name) {
            $name = $name instanceof Dependency ? $name : Dependency::word($name);
            // A name of a table, which a Registry made, can have the text of a word.
            $reads[$name->name] = $name;
            if ($name->table !== '') {
                $all = Dependency::all($name->table);
                $reads[$all->name] = $all;
            }
        }

        return array_values($reads);
    }
}
