<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Commands of nginx's SSI in texts. nginx looks for the bytes `<!--#`, whatever the charset is.
 *
 * @internal
 */
final readonly class SsiText
{
    public const LIVE = '<!--#';

    private const DEAD = '<!-- #';

    public static function include(string $uri): string
    {
        return self::LIVE . " include virtual=\"$uri\" -->";
    }

    public static function withoutCommands(string $text): string
    {
        return str_replace(self::LIVE, self::DEAD, $text);
    }

    /**
     * What nginx finds in place of a part that is being made: an include that leads to PHP.
     *
     * @internal for MemcachedPageStore
     *
     * @param string $key of a page or a part
     *
     * @return string empty for a page
     */
    public static function stub(string $key): string
    {
        $expression = '~((?:/[A-Za-z0-9._:,+-]+)*)' . PartName::PLACE . '(' . PartName::NAME . ')$~D';
        $found = preg_match($expression, $key, $words);

        return $found === 1 ? self::include($words[1] . PartName::MAKE . $words[2]) : '';
    }

    /**
     * A part in which nginx finds no command. Browsers take it for the same comment.
     *
     * @internal for PageCache
     */
    public static function inert(string $text): string
    {
        return self::closed(self::withoutCommands($text));
    }

    /** nginx would wait for the rest of a command, and then lose the end of the text (ngx_http_ssi_parse). */
    public static function closed(string $text): string
    {
        return preg_match('/<(?:!-{0,2})?$/D', $text) === 1 ? $text . "\n" : $text;
    }
}
