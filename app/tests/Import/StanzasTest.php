<?php

declare(strict_types=1);

namespace App\Tests\Import;

use App\Import\Stanzas;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(Stanzas::class)]
final class StanzasTest extends TestCase
{
    private const FIXTURES = __DIR__ . '/../fixtures-import/';

    public function testKeepsTheFieldsAskedFor(): void
    {
        $stanzas = iterator_to_array((new Stanzas(self::FIXTURES . 'Packages'))->read(['Package', 'Section']), false);
        self::assertSame([
            ['Package' => 'jar', 'Section' => 'glass'],
            ['Package' => 'lid', 'Section' => 'contrib/Net'],
            ['Package' => 'no-section'],
            ['Package' => 'no-text', 'Section' => 'glass'],
            ['Package' => 'tin', 'Section' => 'metal'],
        ], $stanzas);
    }

    public function testJoinsContinuationLinesWithoutTheirFirstBlank(): void
    {
        $stanzas = iterator_to_array((new Stanzas(self::FIXTURES . 'Packages'))->read(['Depends']), false);
        self::assertSame([['Depends' => "lid,\nshelf"]], $stanzas);
    }

    public function testReadsCarriageReturnsAndAFileWithoutALastBlankLine(): void
    {
        $stanzas = iterator_to_array((new Stanzas(self::FIXTURES . 'Translation-updates'))->read(['Package', 'Description-en']), false);
        self::assertSame([['Package' => 'sack', 'Description-en' => "cloth\nA sack."]], $stanzas);
    }

    public function testNamesTheFileThatCannotBeRead(): void
    {
        $this->expectException(RuntimeException::class);
        $this->expectExceptionMessage('/nowhere/at/all');
        iterator_to_array((new Stanzas('/nowhere/at/all'))->read(['Package']));
    }
}
