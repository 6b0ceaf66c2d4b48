<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use PDOStatement;

/** @internal A prepared statement. Each run of it is recorded. */
final class RecordingStatement extends PDOStatement
{
    /** @param Closure(PDOStatement): void $record */
    protected function __construct(private readonly Closure $record) {}

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        ($this->record)($this);

        return parent::execute($params);
    }
}
