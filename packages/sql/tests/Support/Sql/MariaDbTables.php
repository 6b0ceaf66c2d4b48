<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Tables of MariaDB, with the columns whose values are compared otherwise than they look. */
final readonly class MariaDbTables implements ServerTables
{
    private const TYPES = [
        'INT' => 26, 'BIGINT' => 6, 'BIGINT UNSIGNED' => 4, 'TINYINT' => 3, 'SMALLINT UNSIGNED ZEROFILL' => 1,
        'VARCHAR(10)' => 24, 'CHAR(5)' => 8, 'TEXT' => 6, 'VARBINARY(10)' => 2, 'DECIMAL(6,2)' => 4, 'YEAR' => 3,
        "ENUM('a','b','ab','1')" => 3, 'DOUBLE' => 3, 'DATE' => 2, 'BIT(4)' => 1, "SET('a','b')" => 1, 'BOOLEAN' => 1,
    ];
    private const COLLATIONS = [
        '' => 30, 'utf8mb4_bin' => 12, 'utf8mb4_nopad_bin' => 4, 'utf8mb4_general_ci' => 8, 'utf8mb4_unicode_ci' => 10,
        'utf8mb4_unicode_nopad_ci' => 4, 'utf8mb4_general_nopad_ci' => 3, 'utf8mb4_unicode_520_ci' => 6,
        'utf8mb4_uca1400_ai_ci' => 4, 'utf8mb4_uca1400_as_ci' => 2, 'utf8mb4_uca1400_nopad_as_cs' => 2,
        'utf8mb4_swedish_ci' => 2, 'utf8mb4_german2_ci' => 2, 'utf8mb4_czech_ci' => 2, 'utf8mb4_danish_ci' => 2,
        'utf8mb4_thai_520_w2' => 1, 'latin1_swedish_ci' => 3, 'latin1_german2_ci' => 2, 'latin1_bin' => 1,
        'utf8mb3_general_ci' => 2, 'ucs2_bin' => 1,
    ];

    private MariaDbWords $words;

    public function __construct(private Choices $choices)
    {
        $this->words = new MariaDbWords();
    }

    public function words(): Words
    {
        return $this->words;
    }

    public function key(bool $isPlain): array
    {
        $kind = $isPlain ? $this->choices->one(['INT', 'INT', 'INT', 'VARCHAR(10)']) : $this->choices->weighted([
            'INT' => 44, 'BIGINT UNSIGNED' => 6, 'VARCHAR(10)' => 20, 'CHAR(5)' => 6, 'composite' => 8, 'none' => 8,
            'DECIMAL(6,2)' => 2, 'YEAR' => 2, "ENUM('a','b','ab','1')" => 2, 'VARBINARY(10)' => 2,
        ]);
        $id = new Column('id', $kind, str_contains($kind, 'CHAR') ? $this->collation() : '');

        return match ($kind) {
            'INT' => [[$id], ['id INT AUTO_INCREMENT PRIMARY KEY'], ''],
            'none' => [[], [], ''],
            'composite' => [
                [new Column('id', 'INT'), new Column('k', 'VARCHAR(5)')],
                ['id INT NOT NULL', 'k VARCHAR(5) NOT NULL'],
                ', PRIMARY KEY (id, k)',
            ],
            default => [[$id], [$this->declared($id) . ' PRIMARY KEY'], ''],
        };
    }

    public function column(string $name): Column
    {
        $type = $this->choices->weighted(self::TYPES);

        return new Column($name, $type, preg_match('/^(VARCHAR|CHAR|TEXT)/', $type) === 1 ? $this->collation() : '');
    }

    public function declared(Column $column): string
    {
        $set = $column->collation === '' ? '' : ' CHARACTER SET ' . strstr($column->collation, '_', true);

        return "$column->name $column->type$set" . ($set === '' ? '' : " COLLATE $column->collation");
    }

    public function generated(string $name): string
    {
        return $this->choices->one(["$name VARCHAR(30) AS (concat(a, b)) ", "$name INT AS (length(b)) ",
            "$name VARCHAR(30) AS (concat(b, 'x')) ", "$name VARCHAR(20) AS (a) "])
            . $this->choices->one(['STORED', 'VIRTUAL']);
    }

    public function options(): string
    {
        return $this->choices->weighted(['' => 90, ' COLLATE utf8mb4_bin' => 4, ' COLLATE utf8mb4_unicode_ci' => 3,
            ' ENGINE=MyISAM' => 1, ' WITH SYSTEM VERSIONING' => 1, ' ENGINE=Aria' => 1]);
    }

    public function deferral(): string
    {
        return '';
    }

    public function trigger(string $name, RandomTable $on, array $tables): array
    {
        $time = $this->choices->one(['AFTER', 'BEFORE']);
        $event = $this->choices->one(['INSERT', 'UPDATE', 'DELETE']);
        $row = $event === 'INSERT' ? 'NEW' : 'OLD';
        $body = [];
        for ($i = $this->choices->number(1, 2); $i > 0; --$i) {
            $target = $this->choices->one($tables);
            $column = $this->choices->one($target->written())->name;
            $own = $this->choices->one([$on->columns[0], ...$on->written()])->name;
            $source = $row . '.' . $this->choices->one($on->columns)->name;
            $isBefore = $time === 'BEFORE' && $event !== 'DELETE';
            $body[] = match ($this->choices->weighted(['update' => 40, 'insert' => 20, 'delete' => 20, 'signal' => 4,
                'replace' => 5, 'call' => 3, 'own' => $isBefore ? 60 : 1, 'dynamic' => 1])) {
                'update' => "UPDATE $target->name SET $column = " . $this->choices->one([$source, '3', "$column + 1"])
                    . ($this->choices->happens(50) ? '' : ' WHERE ' . $this->choices->one($target->columns)->name
                    . " = $source"),
                'insert' => "INSERT IGNORE INTO $target->name ($column) VALUES ($source)",
                'replace' => "REPLACE INTO $target->name ($column) VALUES ($source)",
                'delete' => "DELETE FROM $target->name WHERE $column = $source",
                'signal' => "IF $source = 3 THEN SIGNAL SQLSTATE '45000'; END IF",
                'call' => 'CALL does()',
                'own' => $isBefore ? "SET NEW.$own = " . $this->choices->one(["NEW.$own + 1", '4', "'b'"]) : 'DO 1',
                default => "INSERT INTO nowhere VALUES (1)",
            } . ';';
        }

        return ["CREATE TRIGGER $name $time $event ON $on->name FOR EACH ROW BEGIN " . implode(' ', $body) . ' END'];
    }

    public function indexes(RandomTable $table, string $column, string $other): array
    {
        return ["CREATE INDEX by_{$table->name}_1 ON $table->name ($column)",
            "CREATE INDEX by_{$table->name}_2 ON $table->name ($column, $other)",
            "CREATE UNIQUE INDEX by_{$table->name}_3 ON $table->name ($other)",
            "CREATE INDEX by_{$table->name}_4 ON $table->name ($column(2))"];
    }

    public function first(): array
    {
        return [];
    }

    public function routines(RandomTable $read, RandomTable $written): array
    {
        $column = $this->choices->one($written->written())->name;

        return [
            "CREATE FUNCTION looks() RETURNS INT READS SQL DATA RETURN (SELECT count(*) FROM $read->name)",
            "CREATE FUNCTION writes() RETURNS INT MODIFIES SQL DATA BEGIN UPDATE $written->name SET $column = 2; "
                . 'RETURN 1; END',
            "CREATE PROCEDURE does() BEGIN DELETE FROM $written->name WHERE $column = 1; "
                . "UPDATE $written->name SET $column = 1 WHERE $column = 2; END",
        ];
    }

    public function settings(): array
    {
        return [
            'SET SESSION TRANSACTION ISOLATION LEVEL ' . $this->choices->weighted(['READ COMMITTED' => 45,
                'REPEATABLE READ' => 45, 'SERIALIZABLE' => 5, 'READ UNCOMMITTED' => 5]),
            'SET SESSION innodb_lock_wait_timeout = 3, lock_wait_timeout = 3',
            'SET SESSION innodb_snapshot_isolation = ' . $this->choices->one(['ON', 'OFF']),
            ...($this->choices->happens(12) ? ['SET SESSION foreign_key_checks = 0'] : []),
            ...($this->choices->happens(15) ? ["SET SESSION sql_mode = '" . $this->choices->one(['', 'ANSI_QUOTES',
                'NO_BACKSLASH_ESCAPES', 'PIPES_AS_CONCAT', 'HIGH_NOT_PRECEDENCE', 'PAD_CHAR_TO_FULL_LENGTH', 'ANSI',
                'STRICT_ALL_TABLES', 'NO_UNSIGNED_SUBTRACTION', 'ORACLE', 'NO_AUTO_VALUE_ON_ZERO',
                'EMPTY_STRING_IS_NULL', 'IGNORE_SPACE', 'MSSQL']) . "'"] : []),
        ];
    }

    private function collation(): string
    {
        return $this->choices->weighted(self::COLLATIONS);
    }
}
