<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PhpToken;

/** What PHP code names, read from its tokens. */
final readonly class Names
{
    /** After these a name is one of a method, a property, a constant or a case. */
    private const BEFORE_A_MEMBER = [
        T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON, T_FUNCTION, T_CONST, T_CASE,
    ];

    /** @return list<string> every class that the code names; comments do not count */
    public static function classesIn(string $php): array
    {
        $tokens = self::tokens($php);
        $namespace = '';
        $imported = $classes = [];
        for ($i = 0; $i < \count($tokens); ++$i) {
            $token = $tokens[$i];
            $before = $tokens[$i - 1] ?? $token;
            if ($before->is(T_NAMESPACE)) {
                $namespace = $token->text . '\\';
            } elseif ($token->is(T_USE) && $tokens[$i + 1]->text !== '(') {
                $statement = '';
                while ($tokens[++$i]->text !== ';') {
                    $statement .= ' ' . $tokens[$i]->text;
                }
                $imported += self::imported(trim($statement));
            } elseif ($token->is(T_NAME_FULLY_QUALIFIED)) {
                $classes[] = substr($token->text, 1);
            } elseif ($token->is([T_STRING, T_NAME_QUALIFIED]) && !$before->is(self::BEFORE_A_MEMBER)) {
                [$first, $rest] = explode('\\', $token->text, 2) + [1 => ''];
                $classes[] = rtrim(($imported[$first] ?? $namespace . $first) . '\\' . $rest, '\\');
            }
        }

        return array_values(array_unique($classes));
    }

    /** @return list<string> every function that the code calls by name, in lower case and without its namespace */
    public static function functionsIn(string $php): array
    {
        $tokens = self::tokens($php);
        $functions = [];
        foreach ($tokens as $i => $token) {
            $before = $tokens[$i - 1] ?? $token;
            if (
                $token->is([T_STRING, T_NAME_FULLY_QUALIFIED]) && ($tokens[$i + 1]->text ?? '') === '('
                && !$before->is([...self::BEFORE_A_MEMBER, T_NEW])
            ) {
                $functions[] = strtolower(ltrim($token->text, '\\'));
            }
        }

        return array_values(array_unique($functions));
    }

    /** @return list<PhpToken> without spaces and comments */
    private static function tokens(string $php): array
    {
        return array_values(array_filter(
            PhpToken::tokenize($php),
            static fn(PhpToken $token): bool => !$token->isIgnorable(),
        ));
    }

    /** @return array<string, string> class by the name that it is imported under */
    private static function imported(string $statement): array
    {
        [$prefix, $names] = explode(' \\ { ', rtrim($statement, ' }'), 2) + [1 => null];
        $imported = [];
        foreach (explode(' , ', rtrim((string) ($names ?? $prefix), ' ,')) as $name) {
            [$class, $alias] = explode(' as ', $name, 2) + [1 => (string) preg_replace('/^.*\\\\/', '', $name)];
            $imported[$alias] = ($names === null ? '' : $prefix . '\\') . $class;
        }

        return $imported;
    }
}
