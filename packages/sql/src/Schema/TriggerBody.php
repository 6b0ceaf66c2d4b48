<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Reading\Write;

/**
 * @internal The tables that the body of a trigger may write to, in MariaDB and PostgreSQL: all whose name is in it,
 * wherever that is.
 *
 * It does not ask for the language's rules, so it finds a name in a comment or as that of a column too. What may run
 * another statement than those that are written makes it unknown.
 */
final readonly class TriggerBody
{
    /** These run what is written elsewhere, or change what a name means. */
    private const UNKNOWN = [
        'call', 'execute', 'immediate', 'prepare', 'handler', 'load', 'refresh', 'search_path',
        'set_config', 'sql_mode',
    ];

    private const COLUMNS = '/\b(insert|replace)(?:\s+ignore)?\s+into\s+(`?)[a-z0-9_$\x80-\xff]+\2\s*\(/';

    private const WORD = '/[A-Za-z0-9_$\x80-\xff]+/';

    /**
     * @param list<string>      $tables   ordinary ones, in lower case
     * @param list<string>      $unclear  names, in lower case, with which it is not known what is written
     * @param list<string>|null $harmless words that may stand before a parenthesis; null: all
     */
    public function __construct(
        private array $tables,
        private array $unclear,
        private ?array $harmless,
    ) {}

    /**
     * @param list<array<string, scalar|null>> $rows as Catalog::sideEffects() has triggers
     *
     * @return array<string, list<array{list<string>, list<Write>|null}>> as Catalog::triggers() has them
     */
    public function triggers(array $rows): array
    {
        $triggers = [];
        foreach ($rows as $row) {
            $event = (string) ($row['other'] ?? '');
            $tables = isset($row['sql']) ? $this->tables((string) $row['sql']) : null;
            $events = $event === '' ? [Write::INSERT, Write::UPDATE, Write::DELETE] : [$event];
            $triggers[strtolower((string) $row['name'])][] = [
                $events,
                $tables === null ? null : array_map(static fn(string $table): Write => new Write($table), $tables),
            ];
        }

        return $triggers;
    }

    /** @return list<string>|null in lower case; null: unknown */
    public function tables(string $body): ?array
    {
        $body = strtolower($body);
        preg_match_all(self::WORD, $body, $matches);
        $words = array_fill_keys($matches[0], true);
        $isIn = static fn(string $name): bool => preg_match('/^[a-z0-9_$\x80-\xff]+$/D', $name) === 1
            ? isset($words[$name])
            : str_contains($body, $name);
        // Doubled quotes and escapes may make a name that is not written so.
        $isEscaped = str_contains($body, '``') || str_contains($body, 'u&"');
        if (
            $isEscaped
            || array_intersect_key($words, array_flip(self::UNKNOWN)) !== []
            || array_filter($this->unclear, $isIn) !== []
            || !$this->callsHarmless($body)
        ) {
            return null;
        }

        return array_values(array_filter($this->tables, $isIn));
    }

    private function callsHarmless(string $body): bool
    {
        if ($this->harmless === null) {
            return true;
        }
        $harmless = array_flip($this->harmless);
        // The list of columns of an INSERT stands behind the table.
        $body = (string) preg_replace(self::COLUMNS, '$1 (', $body);
        for ($open = strpos($body, '('); $open !== false; $open = strpos($body, '(', $open + 1)) {
            $before = rtrim(substr($body, 0, $open));
            $line = substr($before, (int) strrpos("\n" . $before, "\n"));
            $isApart = str_contains(substr($body, \strlen($before), $open - \strlen($before)), "\n");
            if ($isApart && (str_contains($line, '--') || str_contains($line, '#'))) {
                return false;
            }
            if (preg_match('/([a-z0-9_$\x80-\xff`"]+)$/D', $before, $word) !== 1) {
                if (str_ends_with($before, '*/')) {
                    return false;
                }
                continue;
            }
            $isQualified = str_ends_with(rtrim(substr($before, 0, -\strlen($word[1]))), '.');
            if ($isQualified || !isset($harmless[$word[1]])) {
                return false;
            }
        }

        return true;
    }
}
