<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

/** The only way by which text gets into the page. */
final readonly class Tag
{
    /** As text or as an attribute's value in double quotes. */
    public static function text(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_DISALLOWED | ENT_HTML5, 'UTF-8');
    }

    public static function of(string $name, string $text, string $class = ''): string
    {
        return \sprintf(
            '<%s%s>%s</%s>',
            $name,
            $class === '' ? '' : ' class="' . $class . '"',
            self::text($text),
            $name,
        );
    }

    /** For a data block: nothing in it can end the element. */
    public static function json(mixed $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE,
        );
    }

    /**
     * A table that scrolls by itself where it is too wide.
     *
     * @param list<string> $head plain text
     * @param list<string> $rows ready-made
     */
    public static function table(string $label, array $head, array $rows, string $class = ''): string
    {
        $cells = implode(
            '',
            array_map(static fn(string $name): string => '<th scope="col">' . self::text($name) . '</th>', $head),
        );

        return \sprintf(
            '<div class="scroll" role="region" aria-label="%s" '
                . 'tabindex="0"><table%s><thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>',
            self::text($label),
            $class === '' ? '' : ' class="' . $class . '"',
            $cells,
            implode('', $rows),
        );
    }
}
