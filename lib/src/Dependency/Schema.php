<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Sql\Lexer;

/**
 * @internal The ordinary tables of the database as its schema has them: key, columns and how they compare, with the
 * column sets that were learned.
 *
 * It answers of one moment, that of the connection's snapshot or transaction: look() begins another one. What was read
 * is kept until the database counts another version of its schema.
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

    private ?int $version = null;

    /** Whether the version is that of the present moment. */
    private bool $isPresent = false;

    /** Whether this transaction changed the schema. After its rollback another change may count the same version. */
    private bool $isAltered = false;

    /** @var array<string, array{name: string, sql: string, utf8: bool}>|null ordinary ones, by name in lower case */
    private ?array $found = null;

    private bool $learns = false;

    private ?string $hidden = null;

    /** @var array<string, Table> by name in lower case, without sets */
    private array $plain = [];

    /** @var array<string, Table> by name in lower case */
    private array $tables = [];

    /** @var array<string, list<string>> lists of columns, by table in lower case */
    private array $sets = [];

    private ?int $lastSet = null;

    private bool $areSetsPresent = false;

    /** @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows of a query */
    public function __construct(
        private readonly Dialect $dialect,
        private readonly Closure $rows,
    ) {}

    /** From now on it is asked of another moment: a transaction began, or is over. */
    public function look(): void
    {
        $this->isPresent = $this->areSetsPresent = false;
        if ($this->isAltered) {
            $this->isAltered = false;
            $this->version = null;
        }
    }

    /**
     * The same, where a query of this moment has told the version of the schema.
     *
     * @return bool whether the schema is another one than before
     */
    public function lookAt(int $version): bool
    {
        $this->look();
        $before = $this->version;
        $this->is($version);

        return $before !== null && $before !== $version;
    }

    /** A statement may have changed the schema. */
    public function altered(): void
    {
        $this->look();
        $this->isAltered = true;
        $this->version = null;
    }

    /** @param string $name in lower case */
    public function table(string $name): ?Table
    {
        $found = $this->found()[$name] ?? null;
        if ($found === null) {
            return null;
        }
        if ($this->learns && !$this->areSetsPresent) {
            $this->readSets();
        }

        return $this->tables[$name] ??= ($this->plain[$name] ??= $this->read($found))
            ->with($this->sets[$name] ?? []);
    }

    /** A table whose name means something else on this connection, since it has a temporary one of that name. */
    public function hidden(): ?string
    {
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
            $this->found = $this->lastSet = null;
            $this->plain = $this->tables = $this->sets = [];
        }
    }

    /** @return array<string, array{name: string, sql: string, utf8: bool}> */
    private function found(): array
    {
        if (!$this->isPresent) {
            $this->is((int) current(($this->rows)($this->dialect->catalog()->schemaVersion())[0] ?? [0]));
        }
        if ($this->found === null) {
            $this->found = $this->ordinary();
        }

        return $this->found;
    }

    /** @return array<string, array{name: string, sql: string, utf8: bool}> */
    private function ordinary(): array
    {
        $found = [];
        $this->hidden = null;
        $prefixes = [self::OWN];
        foreach (($this->rows)($this->dialect->catalog()->tables()) as $row) {
            $name = (string) $row['name'];
            $this->hidden = $row['hidden'] === 1 ? $name : $this->hidden;
            if ($row['virtual'] === 1) {
                // Its rows lie in tables whose names begin with its own.
                $prefixes[] = strtolower($name) . '_';
            } elseif (preg_match(self::TABLE, $name) === 1) {
                $sql = (string) $row['sql'];
                $found[strtolower($name)] = ['name' => $name, 'sql' => $sql, 'utf8' => $row['utf8'] === 1];
            }
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

    /** Sets are only added, so the last one tells whether the list is another one. */
    private function readSets(): void
    {
        $this->areSetsPresent = true;
        $last = 'SELECT MAX(id) AS id FROM ' . self::SETS;
        if ($this->lastSet !== null && $this->lastSet === (($this->rows)($last)[0]['id'] ?? 0)) {
            return;
        }
        $this->sets = $this->tables = [];
        $this->lastSet = 0;
        foreach (($this->rows)('SELECT id, tbl, columns FROM ' . self::SETS . ' ORDER BY id') as $row) {
            $this->sets[(string) $row['tbl']][] = (string) $row['columns'];
            $this->lastSet = (int) $row['id'];
        }
    }

    /** @param array{name: string, sql: string, utf8: bool} $found */
    private function read(array $found): Table
    {
        /**
         * @var list<array{
         *     name: string, type: string, written: string, required: int, key: int, unique: string|null,
         * }> $rows
         */
        $rows = ($this->rows)($this->dialect->catalog()->columns()['columns'], [$found['name']]);
        $all = array_column($rows, 'name');
        $collations = stripos($found['sql'], 'collate') === false
            ? array_fill_keys($all, '')
            : self::collations(Lexer::tokens($found['sql'], $this->dialect->grammar()) ?? [], $all);
        $columns = $keys = [];
        foreach ($rows as $row) {
            // One whose collation is not known compares in a way that is not known.
            $type = $this->dialect->catalog()->typeOf($row['type'], $collations[$row['name']] ?? '?');
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

    /** @param array{required: int, unique: string|null} $column */
    private function isKey(?ColumnType $type, array $column): bool
    {
        return $type !== null && ($column['unique'] === null || ($column['required'] === 1
            && $this->dialect->catalog()
                ->typeOf($type === ColumnType::Integer ? 'INT' : 'TEXT', $column['unique']) === $type));
    }
}
