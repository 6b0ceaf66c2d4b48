<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

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

    /** Whether the transaction has done what another process can notice the end of. */
    private bool $isNoticed = true;

    /** Whether it reads the snapshot of the application's transaction, which nobody changes any more. */
    private bool $isOfSnapshot = false;

    public function exec(string $statement): int|false
    {
        $this->isNoticed = $this->isNoticed && !str_starts_with($statement, 'BEGIN ');
        $this->isOfSnapshot = str_contains($statement, 'TRANSACTION SNAPSHOT');

        // The renderer gives up at once where it would wait for the writer, which cannot move meanwhile.
        return parent::exec(str_replace('innodb_lock_wait_timeout = 1', 'innodb_lock_wait_timeout = 0', $statement));
    }

    /** @param array<array-key, mixed> $options */
    public function prepare(string $query, array $options = []): PDOStatement|false
    {
        $this->isNoticed = $this->isNoticed || preg_match('/^(?:INSERT|UPDATE|DELETE)\b|advisory/', $query) === 1;
        if (!$this->isQuiet && !$this->isOfSnapshot && preg_match(self::STEPS, $query, $found) === 1) {
            self::step($found[0]);
        }

        return parent::prepare($query, $options);
    }

    public function commit(): bool
    {
        if (!$this->isQuiet && $this->isNoticed) {
            self::step('COMMIT');
        }

        $this->isNoticed = true;
        $this->isOfSnapshot = false;

        return parent::commit();
    }

    public static function step(string $step): void
    {
        if (Fiber::getCurrent() !== null) {
            Fiber::suspend($step);
        }
    }
}
