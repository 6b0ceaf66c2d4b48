<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use PDOException;

/**
 * @internal The ordinary tables of the database as its schema has them: key, columns and how they compare, with the
 * column sets that were learned.
 *
 * It answers of one moment, that of the connection's snapshot or transaction: look() begins another one. What was read
 * is kept until the database counts another version of its schema.
 *
 * Where rows are locked one by one, it is read on the second connection, or on MariaDB in the first snapshot of the
 * application's, and the version is that of the ledger's slot for the schema. It is asked for once, and anew where a
 * snapshot shows another one, after expire(), and after a statement that may have changed the schema. So a plan may be
 * old: version() and lastSet() say which one was used, and the ledger compares them before a COMMIT, and before it
 * stores a page.
 */
final class Schema
{
    /** Such a column needs no quotes in a statement, and no escapes in a `?`-name. */
    private const COLUMN = '/^[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*$/D';

    /** A name begins with its table, up to one of the signs `:`, `?` and `!`. A `#` begins a word. */
    private const TABLE = '/^[^#:?!\x00-\x20][^:?!\x00-\x1f]*$/D';

    /** What the names of Larder's own tables begin with. */
    public const OWN = 'larder_';

    private const SETS = 'larder_set';

    /** The query for all column sets that were learned. */
    public const ALL_SETS = 'SELECT id, tbl, columns FROM ' . self::SETS . ' ORDER BY id';

    private ?int $version = null;

    /** Whether the version is that of the present moment. */
    private bool $isPresent = false;

    /** Whether this transaction changed the schema. After its rollback another change may count the same version. */
    private bool $isAltered = false;

    /** @var array<string, array{name: string, sql: string, utf8: bool}>|null ordinary ones, by name in lower case */
    private ?array $found = null;

    /** @var array<string, list<array<string, scalar|null>>>|null by table in lower case, if all are read at once */
    private ?array $columns = null;

    /** @var array<string, true> names in lower case that are not of one thing only */
    private array $ambiguous = [];

    /** @var array<string, list<string>|null>|null what the views read, by their names in lower case */
    private ?array $views = null;

    /** @var array<string, list<string>|null> tables by view, in lower case */
    private array $bases = [];

    /** How often another schema was found. */
    private int $changes = 0;

    /** How often table() began to answer otherwise. */
    private int $state = 0;

    /** Whether a table was asked for since begin(), and whether the answers are of several versions. */
    private bool $isUsed = false;

    private bool $isMixed = false;

    /** Whether there is a ledger that counts versions of the schema. */
    private bool $isCounted = true;

    private bool $learns = false;

    private ?string $hidden = null;

    /** @var array<string, Table> by name in lower case, without sets */
    private array $plain = [];

    /** @var array<string, Table> by name in lower case */
    private array $tables = [];

    /** @var array<string, array<int, string>> lists of columns by number, by table in lower case */
    private array $sets = [];

    private ?int $lastSet = null;

    /** The last set when the version was asked for, if that tells it. */
    private ?int $presentSet = null;

    /** Why no table is known now; null: they are. */
    private ?PDOException $failure = null;

    /** The last set that may be used: a snapshot shows no later one. */
    private int $visible = PHP_INT_MAX;

    private bool $areSetsPresent = false;

    /**
     * @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows    of a query
     * @param Closure(string, Grammar): (list<string>|null)                               $sources of the query of a
     *     view: the tables and views in lower case; null: what it gives depends on more
     * @param bool $isAside whether another connection than the application's answers: it sees nothing of the
     *     application's transaction, and its failure is not the application's
     * @param (Closure(PDOException): void)|null $failed gets what a question failed with that is not thrown on
     */
    public function __construct(
        private readonly Dialect $dialect,
        private readonly Closure $rows,
        private readonly Closure $sources,
        private readonly bool $isAside = false,
        private readonly ?Closure $failed = null,
    ) {}

    /** Nothing is open, and what is derived from now on belongs to one transaction. */
    public function begin(): void
    {
        $this->look();
        $this->isUsed = $this->isMixed = false;
    }

    /** From now on it is asked of another moment: a transaction began, or is over. */
    public function look(): void
    {
        $this->see(PHP_INT_MAX);
        if ($this->isAltered) {
            $this->isAltered = false;
            $this->expire();
        } elseif (!$this->isAside) {
            $this->isPresent = $this->areSetsPresent = false;
        }
    }

    /** What another connection has told is read anew the next time, whatever the version is. */
    public function forget(): void
    {
        if ($this->isAside) {
            $this->expire();
            $this->version = null;
        }
    }

    /** A number that another one follows whenever the schema changes, as the transaction sees it that writes now. */
    public function present(): mixed
    {
        return $this->isAside
            ? $this->changes()
            : array_values(($this->rows)($this->dialect->catalog()->schemaVersion())[0] ?? [])[0] ?? null;
    }

    /** What is known may be out of date: the version and the last set are asked for before it is used again. */
    public function expire(): void
    {
        $this->isPresent = $this->areSetsPresent = false;
        if (!$this->isAside || !$this->isCounted) {
            $this->version = null;
        }
        $this->isCounted = true;
    }

    /**
     * The version of the schema that names are derived by; -1: it could not be read, or the names since begin() are
     * derived by several versions or several lists of sets.
     */
    public function version(): int
    {
        $this->found();
        $this->presentSets();

        return $this->isMixed ? -1 : $this->version ?? -1;
    }

    /** The number of the last column set that names are derived by; 0: there is none. */
    public function lastSet(): int
    {
        $this->found();
        $this->presentSets();

        return min($this->lastSet ?? 0, $this->visible);
    }

    /** How often another schema was found: what was derived from it is good as long as this stays. */
    public function changes(): int
    {
        $this->found();

        return $this->changes;
    }

    /**
     * A number that is another one once table() may answer otherwise than before: as long as it is the same, what was
     * derived from the tables is good for this moment too. To ask for it is to use them.
     */
    public function state(): int
    {
        if (!$this->isPresent || $this->found === null) {
            $this->found();
        }
        if (!$this->areSetsPresent) {
            $this->presentSets();
        }
        $this->isUsed = true;

        return $this->state;
    }

    /** A query by which a snapshot begins. It gives what lookAt() wants. */
    public function moment(): string
    {
        if (!$this->isAside) {
            return $this->dialect->catalog()->schemaVersion();
        }
        $this->found();
        // Before the snapshot, so that one that shows a later set is noticed.
        $this->presentSets();

        return $this->isCounted && $this->version !== null ? $this->dialect->catalog()->schemaVersion() : 'SELECT 0';
    }

    /**
     * The same, where a query of this moment has told the version of the schema.
     *
     * @param int $lastSet the number of the last column set of this moment, where moment() tells it
     *
     * @return bool whether the schema is another one than before
     */
    public function lookAt(int $version, int $lastSet = 0): bool
    {
        $this->begin();
        $before = $this->version;
        if (!$this->isAside) {
            $this->is($version);
        } else {
            $this->see($lastSet);
            if ($version !== $before || ($this->lastSet !== null && $lastSet > $this->lastSet)) {
                $this->expire();
            }
        }

        return $before !== null && $before !== $version;
    }

    /** A statement may have changed the schema. */
    public function altered(): void
    {
        $this->look();
        $this->isAltered = true;
        $this->expire();
    }

    /** @param string $name in lower case */
    public function table(string $name): ?Table
    {
        $found = $this->found()[$name] ?? null;
        if ($found === null) {
            return null;
        }
        $this->presentSets();
        $this->isUsed = true;
        $sets = $this->sets[$name] ?? [];
        if ($this->visible < ($this->lastSet ?? 0)) {
            $sets = array_filter($sets, fn(int $id): bool => $id <= $this->visible, ARRAY_FILTER_USE_KEY);
        }

        return $this->tables[$name] ??= ($this->plain[$name] ??= $this->read($found))->with(array_values($sets));
    }

    /**
     * The ordinary tables that a view reads, also by other views.
     *
     * @param string $name in lower case
     *
     * @return list<string>|null in lower case; null: it is no view, or what it shows depends on more than tables
     */
    public function bases(string $name): ?array
    {
        if (isset($this->found()[$name])) {
            return null;
        }
        $this->isUsed = true;
        if (!\array_key_exists($name, $this->bases)) {
            $this->bases[$name] = null;
            $this->bases[$name] = $this->tablesOf($name);
        }

        return $this->bases[$name];
    }

    /** Whether two columns have the same type and collation, as they are declared. */
    public function areAlike(string $table, string $column, string $otherTable, string $otherColumn): bool
    {
        $declared = function (string $table, string $column): string {
            $found = $this->found()[$table] ?? null;
            foreach ($found === null ? [] : $this->columnsOf($found['name']) as $row) {
                if ($row['name'] === $column) {
                    return $row['type'] . ' ' . $row['collation'];
                }
            }

            return '';
        };
        $type = $declared($table, $column);

        return $type !== '' && $type === $declared($otherTable, $otherColumn);
    }

    /** Why no table was known when one was asked for last; null: all of them were. */
    public function failure(): ?PDOException
    {
        return $this->failure;
    }

    /** A table whose name means something else on this connection, since it has a temporary one of that name. */
    public function hidden(): ?string
    {
        if ($this->isAside) {
            // That connection does not see it.
            return null;
        }
        $this->found();

        return $this->hidden;
    }

    /** @return list<string> in lower case */
    public function names(): array
    {
        return array_keys($this->found());
    }

    /**
     * How the text that made a table has its columns compare.
     *
     * @param list<array{string, string}> $tokens  of CREATE TABLE
     * @param list<string>                $columns in lower case, in their order
     *
     * @return array<string, string> the collation that is written, by column; not those of columns before which the
     *     text has something that was not understood
     */
    public static function collations(array $tokens, array $columns): array
    {
        $collations = [];
        $depth = 0;
        $column = null;
        foreach ($tokens as $i => $token) {
            $depth += $token === ['sign', '('] ? 1 : 0;
            $depth -= $token === ['sign', ')'] ? 1 : 0;
            if ($depth === 1 && ($token === ['sign', '('] || $token === ['sign', ','])) {
                [$kind, $name] = $tokens[$i + 1] ?? ['', ''];
                $name = $kind === 'string' ? str_replace("''", "'", substr($name, 1, -1)) : $name;
                $column = $columns[\count($collations)] ?? null;
                if ($column !== $name) {
                    return $collations;
                }
                $collations[$column] = '';
            }
            if ($depth === 1 && $token === ['word', 'collate'] && $column !== null) {
                $collations[$column] = strtoupper(trim($tokens[$i + 1][1] ?? '', "'"));
            }
        }

        return $collations;
    }

    private function is(int $version): void
    {
        $this->isPresent = true;
        if ($this->version !== $version) {
            $this->version = $version;
            $this->isMixed = $this->isMixed || $this->isUsed;
            ++$this->changes;
            ++$this->state;
            $this->found = $this->columns = $this->lastSet = $this->views = null;
            $this->plain = $this->tables = $this->sets = $this->bases = [];
        }
    }

    /** From now on no later set is used. */
    private function see(int $last): void
    {
        if (min($last, $this->lastSet ?? 0) !== min($this->visible, $this->lastSet ?? 0)) {
            $this->tables = [];
            ++$this->state;
        }
        $this->visible = $last;
    }

    /** @return array<string, array{name: string, sql: string, utf8: bool}> */
    private function found(): array
    {
        if ($this->isPresent && $this->found !== null) {
            return $this->found;
        }
        try {
            if (!$this->isPresent) {
                $this->is($this->asked());
            }

            $this->found ??= $this->ordinary();
            $this->failure = null;

            return $this->found;
        } catch (PDOException $exception) {
            if (!$this->isAside) {
                throw $exception;
            }
            $this->failure = $exception;
            $this->failed?->__invoke($exception);
            // The application's own connection goes on. No table is known, so nothing is stored and all is dropped.
            $this->version = $this->found = null;
            $this->isPresent = false;
            ++$this->state;

            return [];
        }
    }

    /** The version at this moment. */
    private function asked(): int
    {
        try {
            $row = ($this->rows)($this->dialect->catalog()->schemaVersion())[0] ?? [0];
            $this->presentSet = isset($row['last_set']) ? (int) $row['last_set'] : null;

            return (int) current($row);
        } catch (PDOException $exception) {
            // SQLSTATE of a table that is not there.
            if (!\in_array($exception->errorInfo[0] ?? null, ['42S02', '42P01'], true)) {
                throw $exception;
            }
            $this->isCounted = false;

            return 0;
        }
    }

    /** @return array<string, array{name: string, sql: string, utf8: bool}> */
    private function ordinary(): array
    {
        $found = $others = [];
        $this->hidden = null;
        $this->ambiguous = [];
        $prefixes = [self::OWN];
        foreach (($this->rows)($this->dialect->catalog()->tables()) as $row) {
            $name = (string) $row['name'];
            $this->hidden = $row['hidden'] === 1 ? $name : $this->hidden;
            if ($row['virtual'] === 1) {
                // Its rows lie in tables whose names begin with its own.
                $prefixes[] = strtolower($name) . '_';
            } elseif (isset($others[strtolower($name)])) {
                // Where names differ in case only, it is not known which one a statement means.
                unset($found[strtolower($name)]);
                $this->ambiguous[strtolower($name)] = true;
            } elseif ($row['ordinary'] === 1 && preg_match(self::TABLE, $name) === 1) {
                $sql = (string) $row['sql'];
                $found[strtolower($name)] = ['name' => $name, 'sql' => $sql, 'utf8' => $row['utf8'] === 1];
            }
            $others[strtolower($name)] = true;
        }
        $this->learns = isset($found[self::SETS]);
        foreach (array_keys($found) as $name) {
            foreach ($prefixes as $prefix) {
                if (str_starts_with($name, $prefix)) {
                    unset($found[$name]);
                }
            }
        }

        return $found;
    }

    /** @return list<string>|null */
    private function tablesOf(string $view): ?array
    {
        $sources = $this->views()[$view] ?? null;
        if ($sources === null) {
            return null;
        }
        $tables = [];
        foreach ($sources as $source) {
            $of = isset($this->found()[$source]) ? [$source] : $this->bases($source);
            if ($of === null) {
                return null;
            }
            $tables += array_combine($of, $of);
        }

        return array_values($tables);
    }

    /** @return array<string, list<string>|null> */
    private function views(): array
    {
        if ($this->views !== null) {
            return $this->views;
        }
        $catalog = $this->dialect->catalog();
        try {
            $rows = ($this->rows)($catalog->views());
        } catch (PDOException $exception) {
            if (!$this->isAside) {
                throw $exception;
            }
            $this->failed?->__invoke($exception);
            $rows = [];
        }
        $this->views = [];
        foreach ($rows as $row) {
            $grammar = $catalog->viewGrammar((string) $row['home']);
            $text = self::query((string) $row['sql'], $grammar);
            $this->views[strtolower((string) $row['name'])] = ($this->sources)($text, $grammar);
        }
        $this->views = array_diff_key($this->views, $this->ambiguous);

        return $this->views;
    }

    /** The query in CREATE VIEW … AS. */
    private static function query(string $sql, Grammar $grammar): string
    {
        $ends = [];
        $tokens = Lexer::tokens($sql, $grammar, $ends) ?? [];
        $as = ($tokens[0] ?? null) === ['word', 'create'] ? array_search(['word', 'as'], $tokens, true) : false;

        return $as === false ? $sql : substr($sql, $ends[$as]);
    }

    /** Sets are only added, so the last one tells whether the list is another one. */
    private function presentSets(): void
    {
        if ($this->areSetsPresent || !$this->learns) {
            return;
        }
        $this->areSetsPresent = true;
        if ($this->lastSet !== null && $this->lastSet === $this->presentSet) {
            return;
        }
        $last = 'SELECT MAX(id) AS id FROM ' . self::SETS;
        if ($this->lastSet !== null && $this->lastSet === (($this->rows)($last)[0]['id'] ?? 0)) {
            return;
        }
        $this->isMixed = $this->isMixed || ($this->isUsed && $this->lastSet !== null);
        ++$this->state;
        $this->sets = $this->tables = [];
        $this->lastSet = 0;
        foreach (($this->rows)(self::ALL_SETS) as $row) {
            $this->sets[(string) $row['tbl']][(int) $row['id']] = (string) $row['columns'];
            $this->lastSet = (int) $row['id'];
        }
    }

    /** @param array{name: string, sql: string, utf8: bool} $found */
    private function read(array $found): Table
    {
        /**
         * @var list<array{
         *     name: string, type: string, written: string, required: int, key: int, unique: string|null,
         *     collation: string|null,
         * }> $rows
         */
        $rows = $this->columnsOf($found['name']);
        $all = array_column($rows, 'name');
        $collations = stripos($found['sql'], 'collate') === false
            ? array_fill_keys($all, '')
            : self::collations(Lexer::tokens($found['sql'], $this->dialect->grammar()) ?? [], $all);
        $columns = $keys = [];
        foreach ($rows as $row) {
            // One whose collation is not known compares in a way that is not known.
            $collation = $row['collation'] ?? $collations[$row['name']] ?? '?';
            $type = $this->dialect->catalog()->typeOf($row['type'], $collation);
            $isKnown = $type === ColumnType::Integer || $found['utf8'];
            if ($type !== null && $isKnown && preg_match(self::COLUMN, $row['name']) === 1) {
                $columns[$row['written']] = $type;
            }
            if ($row['key'] > 0) {
                $keys[] = $row;
            }
        }
        $key = \count($keys) === 1 && $this->isKey($columns[$keys[0]['written']] ?? null, $keys[0])
            ? $keys[0]['written']
            : '';

        return new Table($found['name'], $key, $columns, [], $all);
    }

    /** @return list<array<string, scalar|null>> as the catalog's query says */
    private function columnsOf(string $table): array
    {
        $catalog = $this->dialect->catalog();
        if ($catalog->allColumns() === '') {
            return ($this->rows)($catalog->columns(), [$table]);
        }
        if ($this->columns === null) {
            $this->columns = [];
            foreach (($this->rows)($catalog->allColumns()) as $row) {
                $this->columns[strtolower((string) $row['table'])][] = $row;
            }
        }

        return $this->columns[strtolower($table)] ?? [];
    }

    /** @param array{required: int, unique: string|null} $column */
    private function isKey(?ColumnType $type, array $column): bool
    {
        return $type !== null && ($column['unique'] === null || ($column['required'] === 1
            && $this->dialect->catalog()
                ->typeOf($type === ColumnType::Integer ? 'INT' : 'TEXT', $column['unique']) === $type));
    }
}
