<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use PDO;
use PDOException;
use PDOStatement;

/** A statement of a DrivenSecondPdo. */
final class DrivenStatement extends PDOStatement
{
    /** @var array<array-key, mixed> */
    private array $bound = [];

    protected function __construct(
        private readonly DrivenMariaDb $first,
        private readonly DrivenSecondPdo $second,
    ) {}

    public function bindValue(int|string $param, mixed $value, int $type = PDO::PARAM_STR): bool
    {
        $this->bound[\is_int($param) ? $param - 1 : $param] = $value;

        return parent::bindValue($param, $value, $type);
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        $this->first->name($this->queryString, $this->bound);
        $this->first->process()->live();
        $do = fn(): bool => parent::execute($params);
        $isWrite = preg_match('/^(?:INSERT|UPDATE|DELETE) /', $this->queryString) === 1;
        if ($isWrite && $this->second->inTransaction() && !$this->first->stepsWrites()) {
            try {
                return $do();
            } catch (PDOException $exception) {
                // It waits for somebody, who has to go on first.
                $this->first->process()->observe($exception->getMessage());
            }
        }

        return $this->first->process()->step(
            'second: ' . preg_replace('/\s+/', ' ', $this->queryString),
            $do,
        );
    }

    /** @return array<array-key, mixed> */
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $rows = parent::fetchAll($mode, ...$args);
        $this->first->process()->observe(json_encode($rows, JSON_THROW_ON_ERROR));

        return $rows;
    }
}
