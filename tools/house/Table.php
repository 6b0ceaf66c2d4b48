<?php

declare(strict_types=1);

namespace Larder\Tools\House;

/** Rows of text in columns; numbers stand at the right. */
final readonly class Table
{
    private function __construct() {}

    /**
     * @param list<string>           $head
     * @param list<list<int|string>> $rows
     */
    public static function text(array $head, array $rows): string
    {
        $widths = array_map(strlen(...), $head);
        foreach ($rows as $row) {
            foreach ($row as $column => $cell) {
                $widths[$column] = max($widths[$column] ?? 0, \strlen((string) $cell));
            }
        }
        $text = '';
        foreach ([$head, ...$rows] as $number => $row) {
            $line = '';
            foreach ($row as $column => $cell) {
                $isLeft = \is_string($cell) && ($number > 0 || $column === 0);
                $line .= str_pad((string) $cell, $widths[$column], ' ', $isLeft ? STR_PAD_RIGHT : STR_PAD_LEFT)
                    . '  ';
            }
            $text .= rtrim($line) . "\n";
        }

        return $text;
    }
}
