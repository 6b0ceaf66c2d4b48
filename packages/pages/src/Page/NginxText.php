<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Page\Exception\InvalidSite;

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

    /**
     * @param array<string, string> $values by expression
     *
     * @return array<string, string> cases of a map, both as nginx reads them
     */
    public static function cases(array $values): array
    {
        $cases = [];
        foreach ($values as $expression => $value) {
            $cases[self::expression($expression)] = '"' . $value . '"';
        }

        return $cases;
    }

    /** @param array<string, string> $cases of a map, both as nginx reads them */
    public static function lines(array $cases): string
    {
        $lines = '';
        foreach ($cases as $case => $value) {
            $lines .= "{$case} {$value};\n";
        }

        return $lines;
    }

    /**
     * What is printed, each line indented by the blocks and the directive that it stands in.
     *
     * @param Closure(): void $print
     */
    public static function laidOut(Closure $print): string
    {
        [$text, $depth, $goesOn] = ['', 0, false];
        foreach (explode("\n", self::printed($print)) as $line) {
            $line = trim($line);
            $depth -= (int) ($line === '}');
            $text .= $line === '' ? "\n" : str_repeat('    ', $depth + (int) $goesOn) . "$line\n";
            $depth += (int) str_ends_with($line, '{');
            $goesOn = preg_match('/^$|^#|[;{}](?: # .*)?$/D', $line) !== 1;
        }

        return substr($text, 0, -1);
    }

    /**
     * What is printed, without the reasons beside the directives: for what is there more than once.
     *
     * @param Closure(): void $print
     */
    public static function bare(Closure $print): string
    {
        return (string) preg_replace('/^ *(?:#.*)?\n/m', '', self::printed($print));
    }

    /**
     * What is printed, as it is.
     *
     * @param Closure(): void $print
     */
    public static function printed(Closure $print): string
    {
        ob_start();
        try {
            $print();

            return (string) ob_get_contents();
        } finally {
            ob_end_clean();
        }
    }

    public static function indented(string $text): string
    {
        return (string) preg_replace('/^(?=.)/m', '    ', $text);
    }
}
