<?php

declare(strict_types=1);

namespace Larder\Proof\Equal;

use Larder\Proof\Statements\LoggedStatement;
use Larder\Proof\Statements\SchemaFacts;
use Larder\Proof\Statements\TableFacts;
use Larder\Tests\Support\Sql\Database;

/** Statements of a list, and what stands in the database before them. */
final readonly class Listed
{
    private const FIXTURES = __DIR__ . '/../../fixtures';

    private const APPLICATIONS = ['wordpress', 'wordpress-object-cache', 'mediawiki', 'mediawiki-memcached', 'drupal'];

    /**
     * @param list<string> $schema
     * @param list<string> $statements
     * @param list<string> $tables     that are compared
     */
    private function __construct(
        public string $name,
        public array $schema,
        public array $statements,
        public array $tables,
    ) {}

    /** @return list<self> */
    public static function all(Database $database): array
    {
        $own = self::own($database);
        if ($database !== Database::MariaDb) {
            return [$own];
        }
        $lists = [$own];
        foreach (self::APPLICATIONS as $application) {
            $file = self::FIXTURES . "/statements/$application.tsv";
            $statements = array_column(LoggedStatement::listed($file), 'sql');
            $lists[] = new self($application, self::schema(explode('-', $application)[0]), $statements, []);
        }

        return $lists;
    }

    /** Those of a file: what makes the tables, a line `-- statements`, and a statement a line. */
    public static function own(Database $database): self
    {
        $lines = self::lines(self::FIXTURES . "/equal/$database->value.sql");
        $at = (int) array_search('-- statements', $lines, true);
        $isStatement = static fn(string $line): bool => !str_starts_with($line, '-- ');

        return new self(
            $database->value,
            array_values(array_filter(\array_slice($lines, 0, $at), $isStatement)),
            array_values(array_filter(\array_slice($lines, $at), $isStatement)),
            ['news', 'comment'],
        );
    }

    /** @return list<string> */
    private static function schema(string $application): array
    {
        // Drupal's package makes no tables: these have the columns that its statements name.
        $file = self::FIXTURES . "/equal/$application.sql";
        $facts = self::FIXTURES . "/statements/$application.json";

        return is_file($file)
            ? self::lines($file)
            : array_values(array_map(self::table(...), SchemaFacts::read($facts)->tables));
    }

    /** @param list<string> $columns */
    private static function quoted(array $columns): string
    {
        return '`' . implode('`, `', $columns) . '`';
    }

    /** @return list<string> */
    private static function lines(string $file): array
    {
        return explode("\n", trim((string) file_get_contents($file)));
    }

    private static function table(TableFacts $facts): string
    {
        $parts = [];
        foreach ($facts->columns as $name => [$type, $collation]) {
            $isNumber = \count($facts->key) === 1 && $facts->key[0] === $name && preg_match('/int/i', $type) === 1;
            $parts[] = "`$name` $type" . ($collation === '' ? '' : " COLLATE $collation")
                . ($isNumber ? ' AUTO_INCREMENT' : '');
        }
        if ($facts->key !== []) {
            $parts[] = 'PRIMARY KEY (' . self::quoted($facts->key) . ')';
        }
        foreach ($facts->uniques as $unique) {
            $parts[] = 'UNIQUE (' . self::quoted($unique) . ')';
        }

        return "CREATE TABLE `$facts->name` (" . implode(', ', $parts) . ')';
    }
}
