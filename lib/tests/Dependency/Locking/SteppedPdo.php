<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency\Locking;

use Fiber;
use PDO;
use PDOStatement;

/** A second connection. In a fiber it suspends before what another process could notice. */
final class SteppedPdo extends PDO
{
    private const STEPS = '/larder_lock.*FOR UPDATE$|pg_advisory_xact_lock\('
        . '|FROM larder_ledger(?! l LEFT JOIN larder_plan)|INSERT INTO larder_page/';

    /** Whether it runs what no other process waits for. */
    public bool $isQuiet = false;

    /** @param array<array-key, mixed> $options */
    public function prepare(string $query, array $options = []): PDOStatement|false
    {
        if (!$this->isQuiet && preg_match(self::STEPS, $query, $found) === 1) {
            self::step($found[0]);
        }

        return parent::prepare($query, $options);
    }

    public function commit(): bool
    {
        if (!$this->isQuiet) {
            self::step('COMMIT');
        }

        return parent::commit();
    }

    public static function step(string $step): void
    {
        if (Fiber::getCurrent() !== null) {
            Fiber::suspend($step);
        }
    }
}
