<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use Larder\Exception\LarderException;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\KeyedRows;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Writes;
use Larder\Tests\Support\NotingAnnouncer;

/**
 * A recording connection and a plain one, of two databases with the same tables: what is done on both must answer the
 * same and leave the same rows, and each row that has changed must be named, as it was and as it is.
 *
 * @phpstan-type Rows array<string, list<array<string, scalar|null>>>
 */
final class TwinConnections
{
    /** How often a change of a table was followed row by row. */
    public int $exact = 0;

    /** How many commands ran. */
    public int $ran = 0;

    /** How many the recording connection refused. */
    public int $refused = 0;

    /** @var list<string> names that were announced */
    private array $announced = [];

    /**
     * @param list<string> $tables
     * @param bool         $notes  whether what it announces is compared with the rows; else its ledger gets it
     */
    public function __construct(
        private readonly Twin $plain,
        private readonly Twin $twin,
        private readonly RecordingPdo|RecordingMysqli $ours,
        private readonly array $tables,
        private readonly bool $notes = true,
    ) {
        if (!$notes) {
            return;
        }
        NotingAnnouncer::at($ours, function (array $names, Writes $writes): void {
            $all = $writes->isAll() ? ['all'] : [];
            $this->announced = [...$this->announced, ...array_map(strval(...), $names), ...$all];
        }, function (?array $tables): void {
            $of = array_map(static fn(string $table): string => "$table!", $tables ?? []);
            $this->announced = [...$this->announced, ...($tables === null ? ['all'] : $of)];
        });
    }

    /** @throws TwinsDiffer */
    public function play(WriteMaker $writes, int $times): void
    {
        [$takings, $made] = [Taking::cases(), 0];
        for (; $times > 0; --$times) {
            $before = $this->rows($this->twin);
            $this->announced = [];
            $trace = '';
            foreach ($writes->make() as $command) {
                $trace .= "$command\n";
                $this->run($command, $trace, $takings[++$made % \count($takings)]);
            }
            $after = $this->end($trace);
            foreach ($this->notes ? $this->tables : [] as $table) {
                $missing = $this->missing($this->ours->registry()->get($table), $before[$table], $after[$table]);
                if ($missing !== null && $missing !== []) {
                    throw TwinsDiffer::in('what was announced', $trace, $missing, $this->announced);
                }
                $this->exact += $missing !== null && $before[$table] !== $after[$table] ? 1 : 0;
            }
        }
    }

    /**
     * Runs a command on both.
     *
     * @param string $trace what led to it, with this command
     *
     * @throws TwinsDiffer
     */
    public function run(Command $command, string $trace, Taking $taking = Taking::Numbers): void
    {
        try {
            $ours = $this->twin->answer($command, $taking);
        } catch (LarderException) {
            // It is refused, so that nothing of it has happened.
            ++$this->refused;

            return;
        }
        ++$this->ran;
        $plain = $this->plain->answer($command, $taking);
        if ($plain !== $ours) {
            throw TwinsDiffer::in('the answer', $trace, $plain, $ours);
        }
    }

    /**
     * Ends what is open on both, and compares the tables.
     *
     * @return Rows
     *
     * @throws TwinsDiffer
     */
    public function end(string $trace): array
    {
        $this->plain->end();
        $this->twin->end();
        [$plain, $ours] = [$this->rows($this->plain), $this->rows($this->twin)];

        return $plain === $ours ? $ours : throw TwinsDiffer::in('a table', $trace, $plain, $ours);
    }

    /** @return Rows */
    private function rows(Twin $twin): array
    {
        $rows = [];
        foreach ($this->tables as $table) {
            $rows[$table] = $twin->rows($table);
        }

        return $rows;
    }

    /**
     * @param list<array<string, scalar|null>> $before
     * @param list<array<string, scalar|null>> $after
     *
     * @return list<string>|null the names that had to be announced and were not; null: the change counts as bulk
     */
    private function missing(Table $table, array $before, array $after): ?array
    {
        $names = [];
        foreach ([[$before, $after], [$after, $before]] as [$here, $there]) {
            foreach (array_filter($here, static fn(array $row): bool => !\in_array($row, $there, true)) as $row) {
                $names = [...$names, ...array_keys(KeyedRows::ofRow($table, $row) ?? ["$table->name!" => 0])];
            }
        }

        return array_intersect([$table->all()->name, 'all'], $this->announced) !== []
            ? null
            : array_values(array_diff($names, $this->announced));
    }
}
