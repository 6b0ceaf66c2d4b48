<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/**
 * A few tables, and reads and writes of them that meet often and show one thing, among random ones.
 *
 * In the texts `{n}` and `{m}` stand for whole numbers, `{x}` and `{y}` for 0 or 1, `{s}` and `{t}` for quoted texts.
 * In one statement, or in one group of commands, each stands for the same everywhere.
 */
final readonly class Theme
{
    /** Of 100 reads and writes, those of the theme. */
    private const SHARE = 70;

    private const ROWS = 10;

    private const NUMBERS = [0, 1, 2, 3, 4];

    private const TEXTS = [
        "'a'", "'a'", "'A'", "'b'", "'a '", "'04'", "'4'", "'é'", "'é'", "'e'", "'e'", "'i'", "'j'",
    ];

    /** Before a command that another connection of the application runs. */
    private const ELSEWHERE = '~';

    /**
     * @param non-empty-array<string, string> $tables columns as they are declared, by table
     * @param list<string>                    $reads  at least one
     * @param list<list<string>>              $writes groups of commands, at least one
     * @param list<string>                    $before statements before the tables are made
     * @param list<string>                    $after  statements behind the rows
     * @param list<string>                    $late   reads while a writer stands still, and renderers begin and end
     */
    public function __construct(
        private array $tables,
        private array $reads,
        private array $writes,
        private array $before = [],
        private array $after = [],
        private array $late = [],
    ) {}

    public function schema(Choices $choices, Database $database): Schema
    {
        $values = new Values($choices, $database->words());
        $tables = $statements = $rows = [];
        foreach ($this->tables as $name => $declared) {
            $tables[] = $table = RandomTable::of($name, $declared);
            $statements[] = "CREATE TABLE $name ($declared)";
            $written = $table->written();
            for ($i = self::ROWS; $i > 0; --$i) {
                $rows[] = \sprintf(
                    'INSERT INTO %s (%s) VALUES (%s)',
                    $name,
                    implode(', ', array_column($written, 'name')),
                    implode(', ', array_map($values->ordinary(...), $written)),
                );
            }
        }

        $all = [...$this->before, ...$statements, ...$rows, ...$this->after];
        if ($database === Database::Sqlite) {
            // Any other key of SQLite may be NULL.
            $all = str_replace('INT PRIMARY KEY', 'INTEGER PRIMARY KEY', $all);
        }

        return new Schema(
            $tables,
            $all,
            self::settings($choices, $database),
        );
    }

    /** Whether writers stand still while renderers begin and end. */
    public function pauses(): bool
    {
        return $this->late !== [];
    }

    /**
     * @param bool $isLate whether a writer stands still
     *
     * @return Read|null null: a random one is wanted
     */
    public function read(Choices $choices, bool $isLate): ?Read
    {
        $reads = $isLate && $this->late !== [] ? $this->late : $this->reads;

        return $choices->happens(self::SHARE)
            ? new Read(new Query(self::filled([$choices->one($reads)], $choices)[0] ?? ''))
            : null;
    }

    /** @return non-empty-list<Command>|null null: random ones are wanted */
    public function write(Choices $choices): ?array
    {
        if (!$choices->happens(self::SHARE)) {
            return null;
        }
        $commands = array_map(
            static fn(string $sql): Command => match (true) {
                str_starts_with($sql, self::ELSEWHERE) => Command::of(Action::Elsewhere, new Query(substr($sql, 1))),
                preg_match('/^(SELECT|INSERT|UPDATE|DELETE)/', $sql) === 1 => Command::run(new Query($sql)),
                default => Command::exec($sql),
            },
            self::filled($choices->one($this->writes), $choices),
        );

        return $commands === [] ? null : $commands;
    }

    /**
     * @param list<string> $texts
     *
     * @return list<string>
     */
    private static function filled(array $texts, Choices $choices): array
    {
        $values = [];
        foreach (['n' => self::NUMBERS, 'm' => self::NUMBERS, 'x' => [0, 1], 'y' => [0, 1]] as $name => $of) {
            $values["{{$name}}"] = (string) $choices->one($of);
        }
        foreach (['{s}', '{t}'] as $name) {
            $values[$name] = $choices->one(self::TEXTS);
        }

        return array_map(static fn(string $text): string => strtr($text, $values), $texts);
    }

    /** @return list<string> */
    private static function settings(Choices $choices, Database $database): array
    {
        $level = $choices->one(['READ COMMITTED', 'REPEATABLE READ']);

        return match ($database) {
            Database::Sqlite => ['PRAGMA foreign_keys = ON'],
            Database::MariaDb => [
                "SET SESSION TRANSACTION ISOLATION LEVEL $level",
                'SET SESSION innodb_lock_wait_timeout = 3, lock_wait_timeout = 3',
            ],
            Database::PostgreSql => [
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL $level",
                "SET lock_timeout = '3s'",
                "SET statement_timeout = '20s'",
            ],
        };
    }
}
