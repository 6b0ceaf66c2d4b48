<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Encoding;

use Closure;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Encoder;
use Larder\Bench\Subject\Encoding\Serializer;
use Larder\Bench\Tests\Workload\Client\Jobs;
use Larder\Bench\Workload\Encoding\Coding;
use Larder\Bench\Workload\Encoding\GraphNode;
use Larder\Bench\Workload\Encoding\SampledLeaf;
use Larder\Bench\Workload\Encoding\Shape;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Coding::class)]
#[CoversClass(GraphNode::class)]
#[CoversClass(Shape::class)]
#[CoversClass(SampledLeaf::class)]
final class CodingTest extends TestCase
{
    #[DataProvider('encoders')]
    public function testEveryEncoderIsRightOrSaysThatItCannot(string $id, Encoder $encoder, bool $keepsObjects): void
    {
        foreach (Shape::cases() as $shape) {
            foreach ([new Coding(false), new Coding(true)] as $coding) {
                $job = Jobs::job(['shape' => $shape->value]);
                if ($shape->hasObjects() && !$keepsObjects) {
                    try {
                        $coding->step($encoder, $job, 0);
                        self::fail($id . ' carries ' . $shape->value);
                    } catch (NotApplicable $refused) {
                        self::assertSame('does not give objects back as they were', $refused->getMessage());
                    }
                    continue;
                }
                $extras = $coding->step($encoder, $job, 0)->extras;
                self::assertNotNull($extras);
                $bytes = $extras()['bytes'] ?? 0.0;
                self::assertGreaterThan(20.0, $bytes);
                self::assertSame(10 * $bytes, (float) Jobs::run($coding, $encoder, $job, 10));
            }
        }
    }

    /** @return iterable<string, array{string, Encoder, bool}> */
    public static function encoders(): iterable
    {
        foreach (Catalogue::standard()->all(Encoder::class) as $row) {
            $encoder = ($row->make)();
            if ($row->missing() === [] && $encoder instanceof Encoder && !str_starts_with($row->id, 'none')) {
                yield $row->id => [$row->id, $encoder, !str_starts_with($row->id, 'json')];
            }
        }
    }

    public function testAnHonestEncoderIsRightForTenThousandSteps(): void
    {
        foreach (['small', 'strings'] as $shape) {
            foreach ([new Coding(false), new Coding(true)] as $coding) {
                self::assertGreaterThan(0, Jobs::run($coding, new Lossy(), Jobs::job(['shape' => $shape]), 10_000));
            }
        }
    }

    #[DataProvider('faults')]
    public function testAFaultOfEveryThousandthTimeIsFound(Coding $coding, Lossy $encoder, string $shape): void
    {
        $this->expectException(WrongReply::class);
        Jobs::run($coding, $encoder, Jobs::job(['shape' => $shape]), 1000);
    }

    /** @return iterable<string, array{Coding, Lossy, string}> */
    public static function faults(): iterable
    {
        $encode = new Coding(false);
        $decode = new Coding(true);
        $list = static fn(Closure $change): Closure => static function (mixed $value) use ($change): mixed {
            \assert(\is_array($value));

            return $change($value);
        };
        yield 'bytes cut off' => [
            $encode,
            new Lossy(static fn(string $bytes): string => substr($bytes, 0, -1)),
            'small',
        ];
        yield 'a byte changed' => [
            $encode,
            new Lossy(static fn(string $bytes): string => substr_replace($bytes, 'x', 100, 1)),
            'small',
        ];
        yield 'the last row is missing' => [
            $decode,
            new Lossy(decoded: $list(static fn(array $rows): array => \array_slice($rows, 0, -1))),
            'small',
        ];
        yield 'the value of another' => [$decode, new Lossy(decoded: static fn(): array => ['id' => 1]), 'small'];
        yield 'nothing' => [$decode, new Lossy(decoded: static fn(): null => null), 'small'];
        yield 'an array in place of an object' => [$decode, new Lossy(decoded: static fn(): array => []), 'graph'];
    }

    public function testAByteDeepInsideIsFoundAtTheNextWholeComparison(): void
    {
        foreach (['rows', 'strings', 'graph'] as $shape) {
            $wrong = null;
            try {
                Jobs::run(new Coding(true), new Spoiling(2), Jobs::job(['shape' => $shape]), 4);
            } catch (WrongReply $thrown) {
                $wrong = $thrown->getMessage();
            }
            self::assertSame('decoding 1 gave another value than was encoded', $wrong, $shape);
        }
    }

    public function testPlainDataThatComesBackOtherwiseIsWrongFromTheStart(): void
    {
        $texts = new Lossy(
            decoded: static fn(mixed $value): mixed => json_decode((string) json_encode($value), false),
            every: 1,
        );

        $this->expectException(WrongReply::class);
        (new Coding(false))->step($texts, Jobs::job(['shape' => 'rows']), 0);
    }

    public function testWhoTakesStringsAloneDoesNotTakePart(): void
    {
        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('cannot carry this: ');
        (new Coding(false))->step(new Serializer('none'), Jobs::job(['shape' => 'rows']), 0);
    }

    public function testALastOneIsComparedAfterTheWindow(): void
    {
        $extras = (new Coding(true))->step(new Spoiling(2), Jobs::job(['shape' => 'rows']), 0)->extras;
        self::assertNotNull($extras);
        $this->expectException(WrongReply::class);
        $extras();
    }

    public function testTheSourcesObjectHasTheSizesThatWereMeasuredOfIt(): void
    {
        self::assertSame(327_790, \strlen(serialize(Shape::Nested->make())));
        if (\extension_loaded('igbinary')) {
            self::assertSame(514, \strlen((string) igbinary_serialize(Shape::Nested->make())));
        }
    }

    public function testShapesAreTheSameAnywhere(): void
    {
        $zone = date_default_timezone_get();
        try {
            date_default_timezone_set('Asia/Tokyo');
            $there = array_map(static fn(Shape $shape): mixed => $shape->make(), Shape::cases());
            date_default_timezone_set('America/Lima');
            $here = array_map(static fn(Shape $shape): mixed => $shape->make(), Shape::cases());
        } finally {
            date_default_timezone_set($zone);
        }

        self::assertTrue(Shape::same($there, $here));
        self::assertCount(200, (array) Shape::Rows->make());
        self::assertCount(500, (array) Shape::Strings->make());
        self::assertSame(341, substr_count(serialize(Shape::Graph->make()), 'node at depth'));
        self::assertSame('{"a":1}', (new Serializer('json'))->encode(['a' => 1]));
    }

    public function testSameIsToTheLastType(): void
    {
        $node = new GraphNode('name', 1, 0.5, []);
        self::assertTrue(Shape::same([1, ['a' => $node]], [1, ['a' => clone $node]]));
        foreach ([
            [1, '1'],
            [1, 1.0],
            [null, false],
            [['a' => 1, 'b' => 2], ['b' => 2, 'a' => 1]],
            [$node, $node->parts()],
            ['1e3', '1000'],
        ] as [$one, $other]) {
            self::assertFalse(Shape::same($one, $other));
        }
    }

    public function testAnUnknownShapeIsAnErrorThatNamesTheKnownOnes(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('no shape "round". There are: small, rows, piece, graph, strings, nested.');
        (new Coding(true))->step(new Lossy(), Jobs::job(['shape' => 'round']), 0);
    }

    public function testSpotsFindWhatIsNotInThem(): void
    {
        foreach (Shape::cases() as $shape) {
            $value = $shape->make();
            foreach (SampledLeaf::in($value, 3, 50) as $spot) {
                self::assertTrue($spot->isIn($value));
                self::assertTrue($spot->isIn(unserialize(serialize($value))));
                self::assertFalse($spot->isIn([]));
                self::assertFalse($spot->isIn(null));
                self::assertFalse($spot->isIn('text'));
            }
        }
        [$spot] = SampledLeaf::in([[1, 2, 3]], 1, 1);
        self::assertFalse($spot->isIn([[1, 2, 3, 4]]));
        self::assertFalse($spot->isIn([['1', '2', '3']]));
        self::assertTrue(SampledLeaf::in('text', 1, 1)[0]->isIn('text'));
    }

    public function testSpotsReachEveryRow(): void
    {
        $rows = array_fill(0, 20, 'right');
        $found = 0;
        for ($row = 0; $row < 20; ++$row) {
            $spoilt = array_replace($rows, [$row => 'wrong']);
            $misses = array_filter(
                SampledLeaf::in($rows, 1, 256),
                static fn(SampledLeaf $spot): bool => !$spot->isIn($spoilt),
            );
            $found += $misses === [] ? 0 : 1;
        }

        self::assertSame(20, $found);
    }
}
