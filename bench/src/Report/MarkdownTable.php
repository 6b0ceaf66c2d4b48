<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

/** A table in Markdown whose cells cannot break out of it, whatever an error text holds. */
final readonly class MarkdownTable
{
    /**
     * @param list<string>       $head
     * @param list<list<string>> $rows
     * @param list<int>          $right columns of numbers
     */
    public static function of(array $head, array $rows, array $right = []): string
    {
        $lines = [
            self::line($head),
            '|'
                . implode(
                    '|',
                    array_map(
                        static fn(int $column): string => \in_array($column, $right, true) ? ' ---: ' : ' --- ',
                        array_keys($head),
                    ),
                )
                . '|',
        ];
        foreach ($rows as $row) {
            $lines[] = self::line($row);
        }

        return implode("\n", $lines) . "\n";
    }

    /** Plain text for a place outside of tables. */
    public static function text(string $text): string
    {
        $line = preg_replace('/[\x00-\x1f\x7f]+/', ' ', mb_scrub($text)) ?? '';

        return str_replace(
            ['\\', '|', '<', '>', '`', '*', '_', '['],
            ['\\\\', '\\|', '&lt;', '&gt;', '\\`', '\\*', '\\_', '\\['],
            $line,
        );
    }

    /** @param list<string> $cells */
    private static function line(array $cells): string
    {
        return '| ' . implode(' | ', array_map(self::text(...), $cells)) . ' |';
    }
}
