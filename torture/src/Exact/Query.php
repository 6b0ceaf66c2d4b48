<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use PDO;
use PDOStatement;

/** A statement with its values, which runs in the same way on every connection. */
final readonly class Query
{
    /** @param array<array-key, int|float|string|bool|null> $values by position from 1 on, or by :name */
    public function __construct(
        public string $sql,
        public array $values = [],
        public Binding $binding = Binding::Text,
    ) {}

    public function run(PDO $connection): PDOStatement
    {
        return $this->binding === Binding::Text
            ? $connection->query($this->sql)
            : $this->execute($connection->prepare($this->sql));
    }

    public function execute(PDOStatement $statement): PDOStatement
    {
        if ($this->binding === Binding::Execute) {
            $values = [];
            foreach ($this->values as $name => $value) {
                $values[\is_int($name) ? $name - 1 : $name] = $value;
            }
            $statement->execute($values);

            return $statement;
        }
        $variables = array_fill_keys(array_keys($this->values), null);
        foreach ($this->values as $name => $value) {
            $type = match (true) {
                \is_int($value), \is_bool($value) => PDO::PARAM_INT,
                $value === null => PDO::PARAM_NULL,
                default => PDO::PARAM_STR,
            };
            if ($this->binding === Binding::BindParam) {
                $statement->bindParam($name, $variables[$name], $type);
                $variables[$name] = $value;
            } else {
                $statement->bindValue($name, $value, $type);
            }
        }
        $statement->execute();

        return $statement;
    }

    public function __toString(): string
    {
        $values = [];
        foreach ($this->values as $name => $value) {
            $values[] = "$name => " . var_export($value, true);
        }

        return $this->sql . ($values === [] ? '' : " -- {$this->binding->value} " . implode(', ', $values));
    }
}
