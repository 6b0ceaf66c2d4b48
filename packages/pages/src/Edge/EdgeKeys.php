<?php

declare(strict_types=1);

namespace Larder\Edge;

use Larder\Dependency\Name;
use Larder\Sql\Ledger\AnnouncedChange;

/**
 * The keys that the pages of a site carry at the edge: the site's own, the page's, and one for each name of data.
 *
 * A name's key is a hash with the site's name in it, so that it is short and tells nobody what the data are. Behind
 * files, hits of nginx carry the site's key and the page's, which nginx knows; so a change purges by both.
 *
 * @internal
 */
final readonly class EdgeKeys
{
    /** Hexadecimal digits, 64 bits: two names that share a key cost a page more than needed, and no freshness. */
    private const DIGITS = 16;

    /** Keys of one purge. A change with more purges the whole site. */
    private const MOST_PURGED = 2000;

    public function __construct(private string $site) {}

    /** What every page of the site carries. */
    public function site(): string
    {
        return $this->site . ':';
    }

    /** @param string $page the page's key */
    public function page(string $page): string
    {
        return $this->site . ':' . $page;
    }

    public function name(string $name): string
    {
        return $this->hash('n' . $name);
    }

    /**
     * What a page carries.
     *
     * @param list<string> $names that it was made from
     *
     * @return non-empty-list<string>
     */
    public function ofPage(string $page, array $names, int $most): array
    {
        $keys = \count($names) <= $most
            ? array_map($this->name(...), $names)
            : array_map($this->table(...), self::tables($names));
        if (\count($keys) > $most) {
            $keys = [$this->anything()];
        }

        return [$this->site(), $this->page($page), ...$keys];
    }

    /** @return non-empty-list<string> by which what a change has ended is purged */
    public function ofChange(AnnouncedChange $change): array
    {
        if ($change->dropped === null) {
            return [$this->site()];
        }
        $names = array_column($change->names, 'name');
        $keys = [
            ...array_map($this->page(...), $change->dropped),
            ...array_map($this->name(...), $names),
            ...array_map($this->table(...), self::tables($names)),
            ...($names === [] ? [] : [$this->anything()]),
        ];

        return $keys === [] || \count($keys) > self::MOST_PURGED
            ? [$this->site()]
            : array_values(array_unique($keys));
    }

    /** Of pages made from so many names of a table that they carry this one in their place: any change of it. */
    private function table(string $table): string
    {
        return $this->hash('t' . $table);
    }

    /** Of pages made from very many tables or words: any change. */
    private function anything(): string
    {
        return $this->hash('a');
    }

    /**
     * @param list<string> $names
     *
     * @return list<string>
     */
    private static function tables(array $names): array
    {
        return array_values(array_unique(array_map(
            static fn(string $name): string => str_starts_with($name, Name::WORD)
                ? $name
                : Name::of($name)->table,
            $names,
        )));
    }

    private function hash(string $text): string
    {
        return substr(hash('sha256', $this->site . "\0" . $text), 0, self::DIGITS);
    }
}
