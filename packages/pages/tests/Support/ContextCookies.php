<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Contexts;
use Larder\Page\ContextSecrets;

/** Cookies of contexts that are worth something, and many that are worth nothing: forged, expired, replayed, broken. */
final readonly class ContextCookies
{
    private function __construct(
        private Contexts $contexts,
        private string $revoked,
        private int $now,
    ) {}

    /**
     * The contexts that the cookies are of.
     *
     * @param string $directory for the file of secrets
     */
    public static function contexts(string $directory): Contexts
    {
        return new Contexts(
            ['role' => ['member', 'editor'], 'language' => ['de', 'fr', 'de-AT']],
            $directory . '/contexts.secrets',
        );
    }

    /** Makes the secrets, signs a cookie and revokes it. For before nginx starts or is reloaded. */
    public static function of(Contexts $contexts): self
    {
        $now = time();
        ContextSecrets::renew($contexts->secrets, true, null);
        $revoked = $contexts->cookie(['role' => 'editor'], $now, 3600);
        ContextSecrets::renew($contexts->secrets, false, null);

        return new self($contexts, self::value($revoked), $now);
    }

    /** @return string the header of a visitor with these values */
    public function header(string $role = 'editor', ?string $language = null): string
    {
        return $this->line($this->signed($role, $language));
    }

    /** @return array<string, array{list<string>, string}> header lines and their context, by name */
    public function good(): array
    {
        $cookie = $this->contexts->cookie;
        $value = $this->signed('editor');

        return [
            'a role' => [[$this->line($value)], 'role:editor'],
            'the other role' => [[$this->line($this->signed('member'))], 'role:member'],
            'two values' => [[$this->line($this->signed('editor', 'de-AT'))], 'language:de-AT.role:editor'],
            'one that begins another' => [[$this->line($this->signed(null, 'de'))], 'language:de'],
            'before other cookies' => [["Cookie: $cookie=$value; a=b"], 'role:editor'],
            'after other cookies' => [["Cookie: a=b; c; $cookie=$value"], 'role:editor'],
            'without the space' => [["Cookie: a=b;$cookie=$value;c=d"], 'role:editor'],
            'in a line of its own' => [['Cookie: a=b', $this->line($value)], 'role:editor'],
            'beside one whose name is longer' => [["Cookie: x$cookie=1; {$cookie}2=1; $cookie=$value"], 'role:editor'],
            'beside one that has its name as value' => [["Cookie: a=$cookie=; $cookie=$value"], 'role:editor'],
        ];
    }

    /** @return array<string, list<string>> header lines by name: whoever sends them is anonymous */
    public function worthless(): array
    {
        $cookie = $this->contexts->cookie;
        $value = $this->signed('member');
        [$text, $ends, $version, $seal] = explode('~', $value);
        $last = substr($seal, -1);
        $of = static fn(string ...$parts): string => implode('~', $parts);
        $values = [
            'a forged role' => $of('role:editor', $ends, $version, $seal),
            'a forged language' => $of('language:de.' . $text, $ends, $version, $seal),
            'a longer life' => $of($text, (string) ((int) $ends + 1), $version, $seal),
            'a life of eleven digits' => $of($text, $ends . '0', $version, $seal),
            'another version' => $of($text, $ends, (string) ((int) $version + 1), $seal),
            'the version before' => $of($text, $ends, (string) ((int) $version - 1), $seal),
            'signed with no secret, in a version that is not there' => $of(
                'role:editor',
                $ends,
                '999',
                self::seal("$ends|role:editor|999|"),
            ),
            'signed with no secret' => $of('role:editor', $ends, $version, self::seal("$ends|role:editor|$version|")),
            'revoked' => $this->revoked,
            'revoked, said to be of now' => implode('~', [
                ...\array_slice(explode('~', $this->revoked), 0, 2),
                $version,
                explode('~', $this->revoked)[3],
            ]),
            'expired' => self::value($this->contexts->cookie(['role' => 'editor'], $this->now - 7200, 3600)),
            'expired, said to be later' => $of(
                'role:member',
                $ends,
                $version,
                explode('~', self::value($this->contexts->cookie(['role' => 'member'], $this->now - 7200, 3600)))[3],
            ),
            'of another site' => $this->ofAnotherSite(),
            'not declared any more' => $this->undeclared(),
            'values in the other order' => $of('role:editor.language:de', $ends, $version, $seal),
            'one value twice' => $of('role:editor.role:editor', $ends, $version, $seal),
            'an empty context' => $of('', $ends, $version, $seal),
            'a change in the seal' => $of($text, $ends, $version, ($seal[0] === 'A' ? 'B' : 'A') . substr($seal, 1)),
            'another last letter, which decodes to the same' => $of(
                $text,
                $ends,
                $version,
                substr($seal, 0, -1) . \chr(\ord($last) + 1),
            ),
            'the seal with its padding' => $value . '==',
            'in capitals' => strtoupper($value),
            'the context in capitals' => $of(strtoupper($text), $ends, $version, $seal),
            'percent-encoded' => rawurlencode($text) . "~$ends~$version~$seal",
            'all percent-encoded' => implode('', array_map(
                static fn(string $byte): string => \sprintf('%%%02X', \ord($byte)),
                str_split($value),
            )),
            'in quotes' => '"' . $value . '"',
            'a space before it' => ' ' . $value,
            'a space behind it' => $value . ' ; a=b',
            'a tabulator in it' => $of($text, $ends . "\t", $version, $seal),
            'something behind it' => $value . '~x',
            'something before it' => 'x' . $value,
            'truncated' => substr($value, 0, -1),
            'without its seal' => $of($text, $ends, $version),
            'with an empty seal' => $of($text, $ends, $version, ''),
            'the seal alone' => $seal,
            'without a life' => $of($text, '', $version, $seal),
            'a life of 0' => $of($text, '0', $version, self::seal("0|$text|$version|")),
            'a life below 0' => $of($text, '-' . $ends, $version, $seal),
            'a life with a sign' => $of($text, '+' . $ends, $version, $seal),
            'a version with a 0 before it' => $of($text, $ends, '0' . $version, $seal),
            'a comma in the seal' => $of($text, $ends, $version, substr($seal, 0, 10) . ",$ends"),
            'oversized' => str_repeat('a', 3000) . $value,
            'an oversized seal' => $value . str_repeat('A', 3000),
            'no value' => '',
            'a variable of nginx' => '$secure_link',
            'a NUL behind an escape' => $value . '%00',
        ];
        $lines = array_map(fn(string $value): array => [$this->line($value)], $values);

        return $lines + [
            'no cookie' => [],
            'other cookies' => ['Cookie: a=b; c=d'],
            'twice in one line' => ["Cookie: $cookie=$value; $cookie=$value"],
            'twice in two lines' => [$this->line($value), $this->line($value)],
            'a good one and a bad one' => ["Cookie: $cookie=$value; $cookie=x"],
            'a bad one and a good one' => ["Cookie: $cookie=x; $cookie=$value"],
            'a good one and one in capitals' => ["Cookie: $cookie=$value; " . strtoupper($cookie) . '=x'],
            'a good one and one with a space' => ["Cookie: $cookie =x; $cookie=$value"],
            'the name in capitals' => ['Cookie: ' . strtoupper($cookie) . "=$value"],
            'a space behind the name' => ["Cookie: $cookie =$value"],
            'a longer name' => ["Cookie: x$cookie=$value"],
            'as the value of another' => ["Cookie: a=$cookie=$value"],
            'a comma before it' => ["Cookie: a=b,$cookie=$value"],
            'two spaces before it' => ["Cookie: a=b;  $cookie=$value"],
            'as another header' => ['Larder-Context: role:editor', "Set-Cookie: $cookie=$value"],
            'as the name of PHP\'s parameter' => ['LARDER_CONTEXT: role:editor', 'Larder-Context: role:editor'],
        ];
    }

    private function line(string $value): string
    {
        return "Cookie: {$this->contexts->cookie}=$value";
    }

    private function signed(?string $role, ?string $language = null): string
    {
        $values = array_filter(['role' => $role, 'language' => $language], is_string(...));

        return self::value($this->contexts->cookie($values, $this->now, 3600));
    }

    private function ofAnotherSite(): string
    {
        $secrets = $this->contexts->secrets . '.another';
        ContextSecrets::renew($secrets, true, null);
        ContextSecrets::renew($secrets, true, null);
        $other = new Contexts($this->contexts->dimensions, $secrets);

        return self::value($other->cookie(['role' => 'editor'], $this->now, 3600));
    }

    private function undeclared(): string
    {
        $before = new Contexts(['role' => ['admin']], $this->contexts->secrets);

        return self::value($before->cookie(['role' => 'admin'], $this->now, 3600));
    }

    /** @param string $setting of a Set-Cookie header */
    private static function value(string $setting): string
    {
        return (string) preg_replace('/^[^=]*=([^;]*);.*$/', '$1', $setting);
    }

    private static function seal(string $signed): string
    {
        return rtrim(strtr(base64_encode(md5($signed, true)), '+/', '-_'), '=');
    }
}
