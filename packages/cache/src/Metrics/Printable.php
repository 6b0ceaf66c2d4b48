<?php

declare(strict_types=1);

namespace Larder\Metrics;

/**
 * Texts for terminals and logs. Visitors, servers and rows have chosen some of them: no byte of one may move a cursor,
 * change a terminal, turn the direction of what is written or begin a line.
 *
 * @internal
 */
final readonly class Printable
{
    /**
     * Control characters but a tab and the end of a line, those of C1, what ends a line elsewhere, and marks that turn
     * the direction of a text.
     */
    private const UNSEEN = '/[\x{0}-\x{8}\x{B}-\x{1F}\x{7F}-\x{9F}\x{61C}\x{200E}\x{200F}\x{2028}-\x{202E}'
        . '\x{2066}-\x{2069}]/u';

    /** Any number of lines. What is replaced is written as JSON does, so JSON says the same as before. */
    public static function lines(string $text): string
    {
        if (preg_match('//u', $text) !== 1) {
            $text = (string) preg_replace_callback(
                '/[\x80-\xFF]/',
                static fn(array $byte): string => \sprintf('\x%02x', \ord($byte[0])),
                $text,
            );
        }

        return (string) preg_replace_callback(
            self::UNSEEN,
            // JSON leaves this one as it is.
            static fn(array $unseen): string => $unseen[0] === "\x7F"
                ? '\u007f'
                : trim(json_encode($unseen[0], JSON_THROW_ON_ERROR), '"'),
            $text,
        );
    }

    public static function line(string $text): string
    {
        return strtr(self::lines($text), ["\n" => '\n', "\t" => '\t']);
    }
}
