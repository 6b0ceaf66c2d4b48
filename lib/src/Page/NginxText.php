<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * Writes values in nginx's configuration language.
 *
 * @internal
 */
final readonly class NginxText
{
    /** Bytes of an expression. nginx reads its configuration in pieces of 4,096. */
    private const LONGEST = 4000;

    /** Quotes a value that nginx takes literally. */
    public static function literal(string $value): string
    {
        if (preg_match('/["\\\\$\x00-\x1F\x7F]/', $value) === 1) {
            throw InvalidSite::because(
                \sprintf(
                    'nginx cannot be given "%s": a quote, a backslash, a $ or a control character',
                    addcslashes($value, "\0..\37\177"),
                ),
            );
        }

        return '"' . $value . '"';
    }

    /** Quotes a regular expression for a map or a location. */
    public static function expression(string $expression): string
    {
        if (preg_match('/["\x00-\x20\x7F]|\\\\[\\\\\'tnr]/', $expression) === 1) {
            throw InvalidSite::because(
                \sprintf(
                    'nginx would read the expression "%s" in another way than PHP does',
                    addcslashes($expression, "\0..\37\177"),
                ),
            );
        }
        if (\strlen($expression) > self::LONGEST) {
            throw InvalidSite::because(
                \sprintf('nginx takes no expression of %d bytes: %.60s', \strlen($expression), $expression),
            );
        }

        return '"~' . $expression . '"';
    }

    public static function indented(string $text, int $levels = 1): string
    {
        return (string) preg_replace('/^(?=.)/m', str_repeat('    ', $levels), $text);
    }

    /** @param array<string, string> $cases value by source, both as nginx reads them */
    public static function map(string $source, string $variable, array $cases): string
    {
        $lines = '';
        foreach ($cases as $case => $value) {
            $lines .= "    {$case} {$value};\n";
        }

        return "map {$source} {$variable} {\n{$lines}}\n";
    }
}
