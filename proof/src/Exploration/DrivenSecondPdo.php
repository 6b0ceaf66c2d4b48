<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use PDO;
use PDOStatement;
use SensitiveParameter;

/** Larder's own connection beside a DrivenMariaDb, for the same process. */
final class DrivenSecondPdo extends PDO
{
    public function __construct(
        private readonly DrivenMariaDb $first,
        string $name,
        string $user,
        #[SensitiveParameter]
        string $password,
    ) {
        parent::__construct($name, $user, $password);
    }

    public function exec(string $statement): int|false
    {
        // Whoever waits for a lock waits for a step of another process.
        return parent::exec(str_replace('innodb_lock_wait_timeout = 1', 'innodb_lock_wait_timeout = 0', $statement));
    }

    /** @param array<array-key, mixed> $options */
    public function prepare(string $query, array $options = []): PDOStatement|false
    {
        return parent::prepare($query, [
            PDO::ATTR_STATEMENT_CLASS => [DrivenStatement::class, [$this->first, $this]],
        ] + $options);
    }

    public function commit(): bool
    {
        return $this->first->process()->step('second: COMMIT', fn(): bool => parent::commit());
    }

    public function rollBack(): bool
    {
        return $this->first->process()->step('second: ROLLBACK', fn(): bool => parent::rollBack());
    }

    public function giveBack(): void
    {
        if (parent::inTransaction()) {
            parent::rollBack();
        }
    }
}
