<?php

declare(strict_types=1);

namespace App\Tests\Import;

use App\Prose;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Prose::class)]
final class ProseTest extends TestCase
{
    /** @return iterable<string, array{string, string}> */
    public static function descriptions(): iterable
    {
        yield 'lines of a paragraph are joined' => ["One line\nand another.", 'One line and another.'];
        yield 'a dot is a blank line, many are one' => ["One.\n.\n.\nTwo.\n.", "One.\n\nTwo."];
        yield 'items take their further lines' => [
            "Has:\n * jam, of\n   which much\n * tea",
            "Has:\n- jam, of which much\n- tea",
        ];
        yield 'further lines may stand below the mark' => [
            "Has:\n - jam, of\n which much\n - tea",
            "Has:\n- jam, of which much\n- tea",
        ];
        yield 'items without indentation' => ["Has:\n.\n* jam\nof plums\n* tea", "Has:\n\n- jam of plums\n- tea"];
        yield 'text after a list begins a paragraph' => [" - jam\nAnd more\nof it.", "- jam\nAnd more of it."];
        yield 'after a colon a mark needs no indentation' => ["Has:\n* jam\n* tea", "Has:\n- jam\n- tea"];
        yield 'other marks' => [" + one\n o two\n • three", "- one\n- two\n- three"];
        yield 'a dash within a sentence is none' => ["A box\n- of tin -\nfor tea.", 'A box - of tin - for tea.'];
        yield 'indented lines stay lines' => [
            "Use:\n  jar --open\n  jar --shut\nThen wait.",
            "Use:\njar --open\njar --shut\nThen wait.",
        ];
        yield 'nothing' => ['', ''];
    }

    #[DataProvider('descriptions')]
    public function testReadsDescriptions(string $description, string $text): void
    {
        self::assertSame($text, Prose::fromDescription($description));
    }

    public function testDividesIntoBlocks(): void
    {
        self::assertSame([
            ['kind' => 'paragraph', 'lines' => ['One', 'two.']],
            ['kind' => 'list', 'lines' => ['jam', 'tea']],
            ['kind' => 'paragraph', 'lines' => ['-no item']],
            ['kind' => 'list', 'lines' => ['one more']],
            ['kind' => 'list', 'lines' => ['after a blank line']],
        ], Prose::blocks("\nOne\n  two.\n- jam\n * tea\n-no item\n- one more\n\n\n- after a blank line\n"));
        self::assertSame([], Prose::blocks(" \n \n"));
    }

    /** @return iterable<string, array{string, string}> */
    public static function openings(): iterable
    {
        yield 'short' => ["All of it.\n\nMore.", 'All of it.'];
        yield 'one line and no end' => ['a library', 'a library'];
        yield 'goes on in lines' => ["It has\nlines", 'It has …'];
        yield 'empty' => ['', ''];
        $sentence = 'This sentence is long enough to stand alone, as it has seventy letters.';
        yield 'after the last whole sentence' => [
            $sentence . ' ' . $sentence . ' ' . str_repeat('word ', 40),
            $sentence . ' ' . $sentence,
        ];
        yield 'after a word' => [str_repeat('word ', 60), rtrim(str_repeat('word ', 44)) . ' …'];
        yield 'by characters, not bytes' => [str_repeat('wörd ', 60), rtrim(str_repeat('wörd ', 44)) . ' …'];
        yield 'an abbreviation is no end' => [
            str_repeat('x', 70) . ' i.e. ' . str_repeat('word ', 60),
            str_repeat('x', 70) . ' i.e. ' . rtrim(str_repeat('word ', 28)) . ' …',
        ];
    }

    #[DataProvider('openings')]
    public function testFindsTheOpening(string $text, string $opening): void
    {
        self::assertSame($opening, Prose::opening($text));
        self::assertLessThanOrEqual(230, mb_strlen($opening));
    }
}
