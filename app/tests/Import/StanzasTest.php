<?php

declare(strict_types=1);

namespace App\Tests\Import;

use App\Import\Stanzas;
use Larder\Testbed\TemporaryDirectory;
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
        $directory = new TemporaryDirectory();
        $file = $directory->path . '/list';
        file_put_contents($file, "Package: sack\r\nDescription-en: cloth\r\n A sack.");
        $stanzas = iterator_to_array((new Stanzas($file))->read(['Package', 'Description-en']), false);
        $directory->remove();

        self::assertSame([['Package' => 'sack', 'Description-en' => "cloth\nA sack."]], $stanzas);
    }

    public function testNamesTheFileThatCannotBeRead(): void
    {
        $this->expectException(RuntimeException::class);
        $this->expectExceptionMessage('/nowhere/at/all');
        iterator_to_array((new Stanzas('/nowhere/at/all'))->read(['Package']));
    }
}
