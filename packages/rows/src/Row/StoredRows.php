<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Dependency\Name;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Registry;
use Larder\Store;
use Larder\Store\MayKeepNothing;
use Larder\Store\Operation;

/** @internal Where rows lie in the store, and how they end there. */
final readonly class StoredRows implements RowEnds
{
    /** What stands behind the name of a set whose ids are listed. */
    private const IDS = '#';

    private ClosedTables $closed;

    public function __construct(
        private Store $store,
        private Registry $registry,
        float $seconds,
    ) {
        $this->closed = new ClosedTables($store, $seconds);
    }

    public static function generation(string $table): string
    {
        return Name::all($table)->name;
    }

    public static function ids(Name $set): string
    {
        return $set->name . self::IDS;
    }

    public function close(?array $names): Closure
    {
        if ($this->store instanceof MayKeepNothing && $this->store->keepsNothing()) {
            return static function (): void {};
        }
        $this->mustBeSeen();
        $tables = $keys = [];
        foreach ($names ?? [] as $name) {
            if ($name->isAll() && $name->table !== '') {
                $tables[$name->name] = true;
            } elseif ($name->table !== '') {
                $keys[$name->name] = true;
                if (!$name->stays) {
                    $keys[self::ids($name)] = true;
                }
            }
        }
        foreach ($names === null ? $this->registry->tables() : [] as $table) {
            $tables[self::generation($table->name)] = true;
        }
        $tables = array_map(strval(...), array_keys($tables));
        $writer = $tables === [] ? 0 : $this->closed->close($tables);
        $this->delete(array_map(strval(...), array_keys($keys)));

        return function () use ($names, $tables, $writer): void {
            try {
                if ($names === null) {
                    // Tables may have come meanwhile.
                    $this->store->clear();
                } elseif ($tables !== []) {
                    $this->closed->open($tables, $writer);
                }
            } catch (LedgerUnavailable) {
                // They open by themselves.
                return;
            }
        };
    }

    public function end(?array $names): void
    {
        $this->close($names)();
    }

    /** @throws LedgerUnavailable if other processes keep their rows elsewhere */
    private function mustBeSeen(): void
    {
        $segment = $this->store instanceof SharedMemory ? $this->store->info() : [];
        if (($segment['private'] ?? false) === true || ($segment['alone'] ?? false) === true) {
            throw LedgerUnavailable::rowsNotEnded(
                'they are kept in shared memory that this process has for itself. Give all programs of the site one'
                    . ' segment in php.ini: larder.name and larder.directory, and larder.owner or larder.group where'
                    . ' they run as several users',
            );
        }
    }

    /**
     * @param list<string> $keys
     *
     * @throws LedgerUnavailable
     */
    private function delete(array $keys): void
    {
        $deletes = array_combine($keys, array_map(Operation::delete(...), $keys));
        foreach ($deletes === [] ? [] : Operation::run($this->store, $deletes) as $outcome) {
            if ($outcome !== Outcome::Done && $outcome !== Outcome::NotFound) {
                throw LedgerUnavailable::rowsNotEnded('the store of rows does not answer');
            }
        }
    }
}
