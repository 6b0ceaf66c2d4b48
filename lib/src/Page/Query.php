<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * A canonical query string: the one form in which a page with parameters may be stored.
 *
 * All parameters are required, in the order given, each once. Any other query on the same path reaches PHP and is never stored,
 * which keeps tracking parameters and made-up ones out of the page store.
 */
final readonly class Query
{
    /**
     * @param string                                           $path       PCRE for the path, without delimiters or anchors
     * @param non-empty-array<non-empty-string, non-empty-string> $parameters name to PCRE of its value, of the characters A-Z a-z 0-9 . _ -
     *
     * @throws InvalidSite if a name or an expression is not usable in nginx and PCRE alike
     */
    public function __construct(
        public string $path,
        public array $parameters,
    ) {
        foreach ([$path, ...array_values($parameters)] as $expression) {
            if (preg_match('/[\s"\'{};#~$\\\\]/', str_replace(['\d', '\w', '\.'], '', $expression)) === 1 || @preg_match('~' . $expression . '~', '') === false) {
                throw InvalidSite::because(\sprintf('query on %s: the expression "%s" has a blank, a quote or one of {};#~$, or is not a regular expression', $path, $expression));
            }
        }
        foreach (array_keys($parameters) as $name) {
            if (preg_match('/^[A-Za-z][A-Za-z0-9_]*$/D', $name) !== 1) {
                throw InvalidSite::because(\sprintf('query on %s: "%s" is not a parameter name of letters, digits and _', $path, $name));
            }
        }
    }

    /**
     * PCRE over the whole raw request URI, anchored, without delimiters; the same text serves nginx and PHP.
     *
     * The look-ahead keeps `/`, `%`, `&` and the like out of the values, and `..` out of the path, however generous the expressions are.
     */
    public function expression(): string
    {
        $shape = $pairs = [];
        foreach ($this->parameters as $name => $value) {
            $shape[] = $name . '=[A-Za-z0-9._-]+';
            $pairs[] = $name . '=(?:' . $value . ')';
        }

        return '^(?=' . PagePath::CANONICAL . '\?' . implode('&', $shape) . '$)(?:' . $this->path . ')\?' . implode('&', $pairs) . '$';
    }
}
