<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\Printable;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Printable::class)]
final class PrintableTest extends TestCase
{
    public function testNothingMovesTheCursorOrTurnsTheText(): void
    {
        $unseen = [...range(0, 0x1F), ...range(0x7F, 0x9F), 0x61C, 0x200E, 0x200F, ...range(0x2028, 0x202E),
            ...range(0x2066, 0x2069)];
        foreach ($unseen as $number) {
            $character = mb_chr($number);
            $line = Printable::line("a{$character}z");
            self::assertMatchesRegularExpression('/^a\\\\(?:u[0-9a-f]{4}|[bfnrt])z$/D', $line);
            if (!\in_array($character, ["\t", "\n"], true)) {
                self::assertSame(
                    [$character],
                    json_decode('["' . Printable::lines($character) . '"]'),
                    'JSON says the same as before.',
                );
            }
        }
        self::assertSame("tab\tand\nline", Printable::lines("tab\tand\nline"));
        $seen = "größe \u{1F600} \\ \" \u{A0}\u{200D}\u{FEFF}";
        self::assertSame($seen, Printable::lines($seen));
        self::assertSame('\x9b31m\xff', Printable::lines("\x9B31m\xFF"), 'C1 in a terminal of eight bits');
    }
}
