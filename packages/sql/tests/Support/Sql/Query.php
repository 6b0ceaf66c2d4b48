<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use LogicException;
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

    /** Whether rows differ each time: a plan says how long its steps took, others tell the time or the session. */
    public static function isOfItsOwn(string $sql): bool
    {
        $called = 'SYSDATE|NOW|RAND|RANDOM|UUID|CONNECTION_ID|PG_BACKEND_PID|CLOCK_TIMESTAMP|CURRENT_TIMESTAMP';

        return preg_match("/^\W*(?:EXPLAIN|ANALYZE)\b|\b(?:$called)\b/i", $sql) === 1;
    }

    public function run(PDO $connection): PDOStatement
    {
        if ($this->binding !== Binding::Text) {
            return $this->execute($connection->prepare($this->sql));
        }
        $statement = $connection->query($this->sql);

        return $statement instanceof PDOStatement ? $statement : throw new LogicException('A failure is an exception.');
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

    /** @return list<array<array-key, mixed>> */
    public static function rows(PDOStatement $statement): array
    {
        return array_values(array_filter($statement->fetchAll(PDO::FETCH_NUM), is_array(...)));
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
