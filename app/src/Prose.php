<?php

declare(strict_types=1);

namespace App;

/**
 * Plain texts. A blank line ends a paragraph, and a line that begins with a mark such as `- ` is an item of a list.
 *
 * @phpstan-type Block array{kind: 'list'|'paragraph', lines: list<string>}
 */
final readonly class Prose
{
    private const MARK = '(?:[-*+•]|o(?=\s+\S))';

    private const OPENING = 220;

    /** @return list<Block> */
    public static function blocks(string $text): array
    {
        $blocks = [];
        $last = null;
        foreach (explode("\n", $text) as $line) {
            $line = trim($line);
            if ($line === '') {
                $last = null;
                continue;
            }
            $kind = preg_match('/^' . self::MARK . '\s+(\S.*)$/u', $line, $item) === 1 ? 'list' : 'paragraph';
            $before = $last !== null && $last['kind'] === $kind ? array_pop($blocks)['lines'] ?? [] : [];
            $last = ['kind' => $kind, 'lines' => [...$before, $item[1] ?? $line]];
            $blocks[] = $last;
        }

        return $blocks;
    }

    /** The first paragraph, cut after a sentence or a word. */
    public static function opening(string $text): string
    {
        $first = trim(explode("\n", $text, 2)[0]);
        if (mb_strlen($first) <= self::OPENING) {
            $isWhole = $first === '' || $first === trim($text) || preg_match('/[.!?:;]$/', $first) === 1;

            return $isWhole ? $first : $first . ' …';
        }
        $cut = mb_substr($first, 0, self::OPENING);
        if (preg_match('/^.{60,}?[^.\s]{2}[.!?](?=\s)(?:.*[^.\s]{2}[.!?](?=\s))?/su', $cut, $sentences) === 1) {
            return $sentences[0];
        }

        return preg_replace('/[\s,;:(–-]+\S*$/u', '', $cut) . ' …';
    }

    /**
     * Converts a Debian description: joins the lines of a paragraph and of a list's item, and turns ` .` into a blank
     * line. Other indented lines stay lines.
     */
    public static function fromDescription(string $long): string
    {
        $lines = [];
        $open = false;
        $item = null;
        foreach (explode("\n", $long) as $raw) {
            $line = trim($raw);
            $indent = \strlen($raw) - \strlen(ltrim($raw));
            if ($line === '.' || $line === '') {
                $lines[] = '';
                $open = false;
                $item = null;
            } elseif (
                preg_match('/^' . self::MARK . '\s+(\S.*)$/u', $line, $found) === 1
                && ($indent > 0 || !$open || $item !== null || preg_match('/[:.]$/', end($lines)) === 1)
            ) {
                $lines[] = '- ' . $found[1];
                $open = true;
                $item = $indent;
            } elseif ($open && ($item === null ? $indent === 0 : $indent > 0 || $item === 0)) {
                $lines[] = array_pop($lines) . ' ' . $line;
            } else {
                $lines[] = $line;
                $open = $indent === 0;
                $item = null;
            }
        }

        return trim(preg_replace('/\n{3,}/', "\n\n", implode("\n", $lines)) ?? '');
    }
}
