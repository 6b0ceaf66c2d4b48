<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\UnknownName;

/**
 * Names as a caller writes them, made canonical.
 *
 * @internal
 */
final readonly class Names
{
    public Registry $registry;

    /** @param Registry|null $registry null: names are words of the application's own */
    public function __construct(?Registry $registry)
    {
        $this->registry = $registry ?? new Registry();
    }

    /**
     * With the name that each read of a table carries.
     *
     * @param array<string|Dependency> $names
     *
     * @return list<Dependency>
     *
     * @throws UnknownName
     */
    public function read(array $names): array
    {
        $read = [];
        foreach ($names as $name) {
            if (!$name instanceof Dependency) {
                $name = $this->registry->tables() === [] ? Dependency::word($name) : $this->registry->parse($name);
            }
            $read[$name->name] = $name;
            if ($name->table !== '') {
                $all = Dependency::all($name->table);
                $read[$all->name] = $all;
            }
        }

        return array_values($read);
    }
}
