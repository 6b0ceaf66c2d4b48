<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Statements;

use PhpMyAdmin\SqlParser\Components\Condition;
use PhpMyAdmin\SqlParser\Components\Expression;
use PhpMyAdmin\SqlParser\Lexer;
use PhpMyAdmin\SqlParser\Parser;
use PhpMyAdmin\SqlParser\Statements\SelectStatement;
use PhpMyAdmin\SqlParser\TokenType;

/** What another parser says of one SELECT. It does not know precedence: of AND, OR and XOR this class knows it. */
final readonly class Oracle
{
    /**
     * @param list<string>       $tables each once, sorted
     * @param list<string>       $always what AND joins in WHERE and in the ON of inner joins, as words() writes it
     * @param list<list<string>> $left   of each join the same of the ON of a LEFT JOIN; of others none
     */
    private function __construct(
        public array $tables,
        public array $always,
        public array $left,
    ) {}

    /**
     * @param bool $ansi whether "a" is a name, which it does not know
     *
     * @return self|null null: it cannot tell
     */
    public static function ask(string $sql, bool $ansi): ?self
    {
        $quoted = '/(\'(?:[^\'\\\\]|\\\\.)*+\')|"([^"`]*+)"/s';
        $sql = $ansi ? (string) preg_replace_callback(
            $quoted,
            static fn(array $found): string => isset($found[2]) ? '`' . $found[2] . '`' : $found[1],
            $sql,
        ) : $sql;
        $parser = new Parser($sql);
        $select = $parser->statements[0] ?? null;
        $isOne = \count($parser->statements) === 1 && \count(array_keys(self::listed($sql), 'select', true)) === 1;
        if (!$select instanceof SelectStatement || !$isOne || $parser->errors !== []) {
            return null;
        }
        $tables = array_map(self::table(...), array_values($select->from));
        $always = $left = [];
        $keepsBoth = false;
        foreach ($select->join ?? [] as $join) {
            $tables[] = self::table($join->expr);
            $on = $join->on === null ? [] : self::conjuncts(array_values($join->on));
            $isInner = \in_array($join->type, ['', 'CROSS', 'INNER', 'JOIN', 'STRAIGHT'], true);
            $isLeft = $join->type === 'LEFT';
            $keepsBoth = $keepsBoth || !($isInner || $isLeft);
            $always = $isInner ? [...$always, ...$on] : $always;
            $left[] = $isLeft ? $on : [];
            $isMore = array_filter($on, self::hasComma(...)) !== [];
            // It takes what stands behind a comma for a part of the condition.
            if ($join->using !== null || $isMore) {
                return null;
            }
        }
        if (\in_array('', $tables, true)) {
            return null;
        }
        $tables = array_values(array_unique($tables));
        sort($tables);

        $where = self::conjuncts(array_values($select->where ?? []));

        return $keepsBoth
            ? new self($tables, $where, array_map(static fn(): array => [], $left))
            : new self($tables, [...$always, ...$where], $left);
    }

    /** The words of a condition, in lower case but for texts, with blanks between. */
    public static function words(string $condition): string
    {
        // (a) = (1) is a = 1.
        $single = '/(?<= |^)(?<!in )\( ([\w.]+|[\w.]+ \. \w+) \)(?= (=|in)|$)/';

        return (string) preg_replace($single, '$1', implode(' ', self::listed($condition)));
    }

    /** @return list<string> */
    private static function listed(string $sql): array
    {
        $words = [];
        foreach ((new Lexer($sql))->list->tokens as $token) {
            $value = (string) $token->value;
            $words[] = match ($token->type) {
                TokenType::Whitespace, TokenType::Comment, TokenType::Delimiter => null,
                TokenType::String => "'" . $value . "'",
                default => strtolower($value),
            };
        }

        return array_values(array_filter($words, static fn(?string $word): bool => $word !== null));
    }

    private static function table(?Expression $expression): string
    {
        $isPlain = $expression?->subquery === null && ($expression->function ?? null) === null;

        return $isPlain && ($expression->database ?? '') === '' ? strtolower($expression->table ?? '') : '';
    }

    /**
     * @param list<Condition> $conditions and what joins them, whatever parentheses there are
     *
     * @return list<string>
     */
    private static function conjuncts(array $conditions): array
    {
        $items = [''];
        $depth = 0;
        foreach ($conditions as $condition) {
            $last = array_key_last($items);
            if ($condition->isOperator && $depth === 0) {
                if (!\in_array(strtoupper($condition->expr), ['AND', '&&'], true)) {
                    // AND joins more tightly than the others do: all is one condition.
                    $all = array_map(static fn(Condition $one): string => $one->expr, $conditions);

                    return [self::words(implode(' ', $all))];
                }
                $items[] = '';
            } else {
                $items[$last] .= ' ' . $condition->expr;
                $words = self::listed($condition->expr);
                $depth += \count(array_keys($words, '(', true)) - \count(array_keys($words, ')', true));
            }
        }
        $found = [];
        foreach ($items as $item) {
            $inner = self::inner(trim($item));
            if ($inner === null) {
                $found[] = self::words($item);
            } else {
                $select = (new Parser('SELECT 1 FROM t WHERE ' . $inner))->statements[0] ?? null;
                array_push($found, ...self::conjuncts(
                    $select instanceof SelectStatement ? array_values($select->where ?? []) : [],
                ));
            }
        }

        return $found;
    }

    /** @return string|null what stands between the parentheses that are around all of it */
    private static function inner(string $item): ?string
    {
        $depth = 0;
        $tokens = (new Lexer($item))->list->tokens;
        $last = \count($tokens) - 1;
        $text = '';
        foreach ($tokens as $i => $token) {
            if ($token->type === TokenType::Operator) {
                $depth += (int) ($token->token === '(') - (int) ($token->token === ')');
            }
            if ($depth === 0 && $i < $last - 1) {
                return null;
            }
            $text .= $token->token;
        }

        return ($item[0] ?? '') === '(' ? substr($text, 1, -1) : null;
    }

    private static function hasComma(string $condition): bool
    {
        return preg_match('/^(?:[^()]|(\((?:[^()]++|(?1))*+\)))*?,/', $condition) === 1;
    }
}
