<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

/** A table for a terminal: columns as wide as they must be, long words cut, control characters out. */
final readonly class TextTable
{
    public const WIDTH = 100;

    /**
     * @param list<string>       $head
     * @param list<list<string>> $rows  a row of fewer cells gives its last one the rest of the line
     * @param list<int>          $left  columns that are words, not numbers
     */
    public static function of(array $head, array $rows, array $left = [0]): string
    {
        $widths = [];
        foreach ([$head, ...$rows] as $row) {
            foreach ($row as $column => $cell) {
                if (\count($row) === \count($head)) {
                    $widths[$column] = max($widths[$column] ?? 0, mb_strlen(self::plain($cell)));
                } elseif ($column === 0) {
                    $widths[0] = max($widths[0] ?? 0, mb_strlen(self::plain($cell)));
                }
            }
        }
        $text = '';
        foreach ([$head, ...$rows] as $row) {
            $line = '';
            foreach ($row as $column => $cell) {
                $cell = self::plain($cell);
                $space = str_repeat(
                    ' ',
                    max(
                        0,
                        ($column === \count($row) - 1 && \in_array($column, $left, true) ? 0 : $widths[$column] ?? 0)
                            - mb_strlen($cell),
                    ),
                );
                $line .= '  '
                    . (
                        \in_array($column, $left, true) || \count($row) < \count($head)
                            ? $cell . $space
                            : $space . $cell
                    );
            }
            $text .= self::cut(rtrim($line)) . "\n";
        }

        return $text;
    }

    /** A paragraph, broken at the width. */
    public static function wrap(string $text, string $indent = ''): string
    {
        $lines = [];
        $line = $indent;
        foreach (explode(' ', self::plain($text)) as $word) {
            if (mb_strlen($line) > mb_strlen($indent) && mb_strlen($line) + 1 + mb_strlen($word) > self::WIDTH) {
                $lines[] = self::cut($line);
                $line = $indent;
            }
            $line .= ($line === $indent ? '' : ' ') . $word;
        }

        return implode("\n", [...$lines, self::cut($line)]) . "\n";
    }

    /** One line, and nothing in it that a terminal would act on. */
    public static function plain(string $text): string
    {
        return trim(preg_replace('/[\p{C}\s]+/u', ' ', mb_scrub($text)) ?? '');
    }

    private static function cut(string $line): string
    {
        return mb_strlen($line) <= self::WIDTH ? $line : mb_substr($line, 0, self::WIDTH - 1) . '…';
    }
}
