<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * A canonical query string: the one form in which a page with parameters may be stored.
 *
 * All parameters are required, each once and in this order. With any other query the request reaches PHP and nothing is
 * stored, so tracking parameters and invented ones do not fill the page store.
 *
 *     new Query('/news', ['page' => '[1-9][0-9]?'])    // /news?page=2
 */
final readonly class Query
{
    /**
     * @param string $path PCRE for the path, without delimiters or anchors
     * @param non-empty-array<non-empty-string, non-empty-string> $parameters PCRE of the value, by name; a value has
     *     only characters of A-Z a-z 0-9 . _ -
     *
     * @throws InvalidSite if nginx cannot use a name or an expression in the same way as PCRE
     */
    public function __construct(
        public string $path,
        public array $parameters,
    ) {
        foreach ([$path, ...array_values($parameters)] as $expression) {
            $isUnsafe = preg_match('/[\s"\'{};#~$\\\\]/', str_replace(['\d', '\w', '\.'], '', $expression)) === 1;
            if ($isUnsafe || @preg_match('~' . $expression . '~', '') === false) {
                throw InvalidSite::because(
                    \sprintf(
                        'query on %s: the expression "%s" has a blank, a quote or one of {};#~$, or is not a regular '
                            . 'expression',
                        $path,
                        $expression,
                    ),
                );
            }
        }
        foreach (array_keys($parameters) as $name) {
            if (preg_match('/^[A-Za-z][A-Za-z0-9_]*$/D', $name) !== 1) {
                throw InvalidSite::because(
                    \sprintf('query on %s: "%s" is not a parameter name of letters, digits and _', $path, $name),
                );
            }
        }
    }

    /**
     * Anchored PCRE for the whole raw request URI, without delimiters. nginx and PHP use the same text.
     *
     * The look-ahead keeps `/`, `%` and `&` out of the values and `..` out of the path, even if an expression allows
     * them.
     *
     * @param string $ignored what ignoring() gives: such parameters may stand before and after the query, and the
     *     groups larder_path and larder_query have the URI without them
     */
    public function expression(string $ignored = ''): string
    {
        $shape = $pairs = [];
        foreach ($this->parameters as $name => $value) {
            $shape[] = $name . '=[A-Za-z0-9._-]+';
            $pairs[] = $name . '=(?:' . $value . ')';
        }
        [$before, $after] = $ignored === '' ? ['', ''] : ["(?:{$ignored}&)*", "(?:&{$ignored})*"];
        [$path, $query] = $ignored === '' ? ['(?:', ''] : ['(?<larder_path>', '(?<larder_query>'];

        return '^(?=' . PagePath::CANONICAL . '\?' . $before . implode('&', $shape) . $after . '$)'
            . $path . $this->path . ')\?' . $before . $query . implode('&', $pairs) . ($query === '' ? '' : ')')
            . $after . '$';
    }

    /**
     * @param list<string> $names `*` at the end stands for any
     *
     * @return string|null PCRE for one such parameter; null: there is none
     */
    public static function ignoring(array $names): ?string
    {
        $expressions = array_map(
            static fn(string $name): string => str_ends_with($name, '*')
                ? preg_quote(substr($name, 0, -1)) . '[^=&?]*'
                : preg_quote($name),
            $names,
        );

        return $names === [] ? null : '(?:' . implode('|', $expressions) . ')(?:=[^&?]*)?';
    }
}
