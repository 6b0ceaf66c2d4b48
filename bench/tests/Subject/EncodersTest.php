<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Encoder;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class EncodersTest extends TestCase
{
    /** @return iterable<string, array{Definition}> */
    public static function encoders(): iterable
    {
        foreach (Catalogue::standard()->all(Encoder::class) as $row) {
            if ($row->missing() === [] && $row->id !== 'noop') {
                yield $row->id => [$row];
            }
        }
    }

    #[DataProvider('encoders')]
    public function testBringsBackWhatItWasGiven(Definition $row): void
    {
        $encoder = self::encoder($row);
        $strings = ['text', 'héllo', str_repeat('long ', 5000), '', 'N;', 'null'];
        $rows = array_map(
            static fn(int $id): array => [
                'id' => $id,
                'name' => "row {$id}",
                'price' => $id / 4,
                'tags' => ['a', 'b'],
                'on' => $id % 2 === 0,
                'none' => null,
            ],
            range(1, 200),
        );
        $plain = [...$strings, $rows, [], [1, 2, 3], ['a' => ['b' => ['c' => 1]]], 5, -1.5, 2.0, true, false, null];
        foreach (str_starts_with($row->id, 'none') ? $strings : $plain as $value) {
            self::assertSame($value, $encoder->decode($encoder->encode($value)));
        }
        $encoder->close();
    }

    #[DataProvider('encoders')]
    public function testTakesNothingForGrantedThatItDidNotMake(Definition $row): void
    {
        if ($row->id === 'none') {
            self::assertSame("\xff", self::encoder($row)->decode("\xff"));

            return;
        }
        $encoder = self::encoder($row);
        $bytes = $encoder->encode(
            str_starts_with($row->id, 'none') ? str_repeat('text', 50) : ['id' => 1, 'text' => str_repeat('text', 50)],
        );
        foreach (['', substr($bytes, 0, -3), "\xc1\xc1\xc1\xc1"] as $broken) {
            $taken = null;
            try {
                $taken = json_encode($encoder->decode($broken), JSON_INVALID_UTF8_SUBSTITUTE);
            } catch (\RuntimeException|\JsonException) {
            }
            self::assertNull($taken, \sprintf('%s took %d broken bytes for a value', $row->id, \strlen($broken)));
        }
    }

    public function testWhatItCannotCarryIsRefused(): void
    {
        $catalogue = Catalogue::standard();
        foreach (['none' => [1], 'json' => "\xff", 'json+zlib' => "\xff", 'none+zlib' => [1]] as $id => $value) {
            $encoder = self::encoder($catalogue->get($id));
            $taken = null;
            try {
                $taken = $encoder->encode($value);
            } catch (\RuntimeException|\JsonException) {
            }
            self::assertNull($taken, $id);
        }
    }

    private static function encoder(Definition $row): Encoder
    {
        $encoder = ($row->make)();
        self::assertInstanceOf(Encoder::class, $encoder);
        $encoder->connect(new Context([], sys_get_temp_dir()));

        return $encoder;
    }
}
