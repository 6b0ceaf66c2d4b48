<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\SqlState;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Tracker\TrackedConnection;
use PDOException;

/** @internal Asks for each right that the account of a server needs, once the ledger has its tables. */
final readonly class RightsChecks
{
    /** Tables of the ledger whose rows change, each with a column. */
    private const UPDATED = [
        'larder_ledger' => 'slots', 'larder_page' => 'draft', 'larder_place' => 'served', 'larder_route' => 'bytes',
    ];

    public function __construct(private TrackedConnection $connection) {}

    /** @return list<Check> */
    public function checks(): array
    {
        return $this->connection->dialect()->choose(
            static fn(): array => [],
            fn(LockingDialect $dialect): array => [
                $this->ofTables(), ...$this->ofAnswers(), ...$this->asked($dialect),
            ],
        );
    }

    private function ofTables(): Check
    {
        $may = 'the account of the database may write the ledger';
        $second = $this->connection->tracker()->second();
        try {
            $all = array_column($second->rows($this->connection->dialect()->catalog()->tables()), 'name');
        } catch (PDOException $exception) {
            return Check::failed($may, $exception->getMessage());
        }
        $why = null;
        $denied = [];
        foreach (array_map(strval(...), $all) as $table) {
            try {
                $this->write($second, $table);
            } catch (PDOException $exception) {
                $why ??= $exception->getMessage();
                $denied[] = LedgerUnavailable::denied($exception);
            }
        }
        $account = $denied === [] ? '' : SqlState::account($second) ?? 'its account';
        $grants = array_map(
            static fn(string $what): string => LedgerUnavailable::grant($what, $account),
            array_values(array_filter($denied, is_string(...))),
        );

        return $why === null ? Check::ok($may) : Check::failed($may, implode('. ', [$why, ...$grants]));
    }

    /** Each of these needs its right, and finds no row. */
    private function write(SecondConnection $second, string $table): void
    {
        if (!str_starts_with($table, Schema::OWN)) {
            return;
        }
        $second->rows("SELECT 1 FROM $table WHERE 1 = 0 FOR UPDATE");
        $second->change("INSERT INTO $table SELECT * FROM $table WHERE 1 = 0");
        $second->change("DELETE FROM $table WHERE 1 = 0");
        if (isset(self::UPDATED[$table])) {
            $second->change(\sprintf('UPDATE %s SET %2$s = %2$s WHERE 1 = 0', $table, self::UPDATED[$table]));
        }
    }

    /** @return list<Check> of a driver whose answers statements of Larder's would cover */
    private function ofAnswers(): array
    {
        if (!$this->connection->own()->mayEndUnseen()) {
            return [];
        }
        $may = 'the account of the database may make temporary tables';
        try {
            $this->connection->own()->mustAnswer();
        } catch (LedgerUnavailable $exception) {
            return [Check::failed($may, $exception->getMessage())];
        }

        return [Check::ok($may)];
    }

    /** @return list<Check> */
    private function asked(LockingDialect $dialect): array
    {
        $checks = [];
        foreach ($dialect->rights() as $right) {
            ['check' => $may, 'query' => $query, 'remedy' => $remedy, 'isNeeded' => $isNeeded] = $right;
            try {
                $has = (int) current($this->connection->own()->rows($query)[0] ?? [0]) === 1;
            } catch (PDOException $exception) {
                [$has, $remedy] = [false, $exception->getMessage() . '. ' . $remedy];
            }
            $checks[] = match (true) {
                $has => Check::ok($may),
                $isNeeded => Check::failed($may, $remedy),
                default => Check::remark($may, $remedy),
            };
        }

        return $checks;
    }
}
