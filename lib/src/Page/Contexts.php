<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\ContextsUnavailable;
use Larder\Exception\InvalidContext;

/**
 * The contexts that parts of a page may differ by: role, language, currency. A context belongs to all visitors with the
 * same values, never to one of them.
 *
 * A visitor has it by a cookie that PHP signs and nginx checks without PHP. Whoever has no cookie, or one that is
 * forged, malformed, expired, revoked or sent twice, is anonymous: his context is empty. Whoever has another's cookie
 * gets the parts of that context until it expires or is revoked, so nothing of one person may be in them.
 *
 * The cookie is `CONTEXT~EXPIRY~VERSION~SEAL`. CONTEXT is such as `language:de.role:editor`, EXPIRY a Unix time and
 * VERSION that of a secret. SEAL is in base64url the MD5 of the secret, `EXPIRY|CONTEXT|VERSION|` and the secret again:
 * nginx's module secure_link can compute no other hash. docs/how-to/contexts.md says why it is enough.
 */
final readonly class Contexts
{
    /** Combinations of all values, with those where a dimension has none. */
    public const MOST = 256;

    /** Bytes of a context: it is part of a key. */
    public const LONGEST = 64;

    /** Seconds. */
    public const LONGEST_TTL = 31_536_000;

    /** @var array<string, non-empty-list<string>> values by dimension, sorted by its name */
    public array $dimensions;

    /**
     * @param array<string, list<string>> $dimensions values by name. A name is of a-z, 0-9 and _; a value of letters,
     *     digits, - and _. A visitor has one value of a dimension, or none
     * @param string $secrets absolute file that `larder contexts:secret` makes: nginx includes it, PHP reads it
     * @param string $cookie  its name. Not one of Visitors::$sessionCookies
     * @param bool   $secure  the cookie goes by TLS only
     *
     * @throws InvalidContext if there are more than MOST combinations, or a name or value that cannot be
     */
    public function __construct(
        array $dimensions,
        public string $secrets,
        public string $cookie = 'larder_context',
        public bool $secure = true,
    ) {
        self::check('the file of secrets', $secrets, '~^/[^\s"\'{};$*?\[\]\\\\]*[^/\s"\'{};$*?\[\]\\\\]$~D');
        self::check('the name of the cookie', $cookie, '/^[A-Za-z0-9_-]{1,64}$/D');
        if (preg_match('/^__(?:Host|Secure)-/i', $cookie) === 1 && !$secure) {
            throw InvalidContext::because("browsers take a cookie named $cookie only if it is secure");
        }
        ksort($dimensions, SORT_STRING);
        $combinations = 1;
        $longest = -1;
        $checked = [];
        foreach ($dimensions as $name => $values) {
            self::check('the name of a dimension', \sprintf('%s', $name), '/^[a-z][a-z0-9_]*$/D');
            if ($values === [] || \count(array_unique($values)) !== \count($values)) {
                throw InvalidContext::because("the dimension $name has no value, or one twice");
            }
            foreach ($values as $value) {
                self::check("a value of $name", $value, '/^[A-Za-z0-9][A-Za-z0-9_-]*$/D');
            }
            $combinations *= \count($values) + 1;
            $longest += \strlen($name) + 2 + max(array_map(\strlen(...), $values));
            $checked[$name] = $values;
        }
        if ($checked === []) {
            throw InvalidContext::because('there is no dimension');
        }
        if ($combinations > self::MOST) {
            throw InvalidContext::because(\sprintf(
                'the dimensions have %d combinations, and at most %d may be: each is kept by itself',
                $combinations,
                self::MOST,
            ));
        }
        if ($longest > self::LONGEST) {
            throw InvalidContext::because(
                \sprintf('the longest would have %d bytes, and at most %d may be', $longest, self::LONGEST),
            );
        }
        $this->dimensions = $checked;
    }

    /**
     * The value of a Set-Cookie header that gives a visitor a context. No page with it is stored.
     *
     * @param array<string, string> $values by dimension; one that is left out has no value. Empty: as anonymous()
     * @param int                   $now    Unix time
     * @param int                   $ttl    seconds for which the context holds, at most LONGEST_TTL
     *
     * @throws InvalidContext      if a dimension or a value is not declared, or the ttl is not in its bounds
     * @throws ContextsUnavailable if the secrets cannot be read
     */
    public function cookie(array $values, int $now, int $ttl): string
    {
        $text = $this->text($values);
        if ($ttl < 1 || $ttl > self::LONGEST_TTL) {
            throw InvalidContext::because(
                \sprintf('the ttl is %d seconds, and may be 1 to %d', $ttl, self::LONGEST_TTL),
            );
        }
        if ($text === '') {
            return $this->anonymous();
        }
        $secrets = ContextSecrets::of($this->secrets);
        $version = $secrets->version();
        $ends = $now + $ttl;

        $seal = self::seal($secrets->newest(), $ends, $text, $version);

        return $this->setting("$text~$ends~$version~$seal", $ttl);
    }

    /** The value of a Set-Cookie header that takes the context away. */
    public function anonymous(): string
    {
        return $this->setting('', 0);
    }

    /**
     * The one form of a context.
     *
     * @param array<string, string> $values by dimension
     *
     * @return string `language:de.role:editor`; empty: anonymous
     *
     * @throws InvalidContext if a dimension or a value is not declared
     */
    public function text(array $values): string
    {
        $words = [];
        foreach ($this->dimensions as $name => $allowed) {
            if (isset($values[$name])) {
                if (!\in_array($values[$name], $allowed, true)) {
                    throw InvalidContext::because(
                        \sprintf('%s is "%s" and may be %s', $name, $values[$name], implode(', ', $allowed)),
                    );
                }
                $words[] = $name . ':' . $values[$name];
            }
        }
        $unknown = array_diff_key($values, $this->dimensions);
        if ($unknown !== []) {
            throw InvalidContext::because(\sprintf('the dimension %s is not declared', array_key_first($unknown)));
        }

        return implode('.', $words);
    }

    /**
     * Decides as nginx does, for where no nginx stands in front: PHP's own server, tests.
     *
     * @param string $cookies as in the header Cookie; several such headers joined by "; "
     * @param int    $now     Unix time
     *
     * @return string the context; empty: anonymous
     *
     * @throws ContextsUnavailable if the secrets cannot be read
     */
    public function read(string $cookies, int $now): string
    {
        if (
            preg_match('/' . $this->twice() . '/D', $cookies) === 1
            || preg_match('/' . $this->expression('') . '/D', $cookies, $found) !== 1
        ) {
            return '';
        }
        $secret = ContextSecrets::of($this->secrets)->secret((int) $found['made']);
        if ($secret === null || (int) $found['ends'] < $now) {
            return '';
        }
        $seal = self::seal($secret, (int) $found['ends'], $found['text'], (int) $found['made']);

        return hash_equals($seal, $found['seal']) ? $found['text'] : '';
    }

    /**
     * Finds the cookie, with the groups text, ends, made (the version) and seal.
     *
     * @internal for NginxTemplates
     *
     * @param string $prefix of the groups' names, at most 28 bytes: PCRE takes no name above 32
     */
    public function expression(string $prefix): string
    {
        $text = '(?=[a-z])';
        foreach ($this->dimensions as $name => $values) {
            $text .= "(?:$name:(?:" . implode('|', $values) . ')(?:\.(?=[a-z])|(?=~)))?';
        }

        return '(?:^|;\x20?)' . preg_quote($this->cookie)
            . "=(?<{$prefix}text>$text)~(?<{$prefix}ends>[1-9][0-9]{9,10})~(?<{$prefix}made>[1-9][0-9]{0,8})"
            . "~(?<{$prefix}seal>[A-Za-z0-9_-]{21}[AQgw])(?:;|$)";
    }

    /** @internal Finds two cookies of this name. */
    public function twice(): string
    {
        $name = '\s*' . preg_quote($this->cookie) . '\s*=';

        return "(?i)(?:^|[;,]){$name}.*[;,]{$name}";
    }

    private static function seal(string $secret, int $ends, string $text, int $version): string
    {
        $hash = md5("$secret$ends|$text|$version|$secret", true);

        return rtrim(strtr(base64_encode($hash), '+/', '-_'), '=');
    }

    private function setting(string $value, int $ttl): string
    {
        $secure = $this->secure ? '; Secure' : '';

        return "{$this->cookie}=$value; Max-Age=$ttl; Path=/; HttpOnly; SameSite=Lax$secure";
    }

    private static function check(string $what, string $value, string $expression): void
    {
        if (preg_match($expression, $value) !== 1) {
            throw InvalidContext::because(\sprintf('%s: "%s" does not fit %s', $what, $value, $expression));
        }
    }
}
