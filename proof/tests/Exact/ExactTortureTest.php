<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exact;

use Larder\Proof\Exact\Blindness;
use Larder\Proof\Exact\ExactTorture;
use Larder\Proof\Exact\Finding;
use Larder\Proof\Exact\Round;
use Larder\Proof\Exact\Trial;
use Larder\Proof\Exact\WatchedCopy;
use Larder\Proof\Mutation\Mutant;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\ReadMaker;
use Larder\Tests\Support\Sql\SchemaMaker;
use Larder\Tests\Support\Sql\WriteMaker;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** The judge finds what is wrong, or its zero would mean nothing, and it finds the same again. */
#[CoversClass(ExactTorture::class)]
#[CoversClass(Round::class)]
#[CoversClass(Trial::class)]
#[CoversClass(Finding::class)]
#[CoversClass(Blindness::class)]
#[CoversClass(Choices::class)]
#[CoversClass(SchemaMaker::class)]
#[CoversClass(ReadMaker::class)]
#[CoversClass(WriteMaker::class)]
#[CoversClass(WatchedCopy::class)]
#[CoversClass(Mutant::class)]
final class ExactTortureTest extends TestCase
{
    public function testTheSameSeedDoesTheSame(): void
    {
        $figures = array_map(
            static fn(): array => array_diff_key(self::played(2, 1_000)->figures, ['pairs_per_second' => 0]),
            [1, 2],
        );

        self::assertSame($figures[0], $figures[1]);
        self::assertSame(0, $figures[0]['wrong']);
        self::assertNotSame(
            $figures[0],
            array_diff_key(self::played(3, 1_000)->figures, ['pairs_per_second' => 0]),
        );
    }

    #[TestWith([Blindness::Reads])]
    #[TestWith([Blindness::Writes])]
    public function testAReadThatIsKeptAndAWriteThatIsNotSeenAreFound(Blindness $blindness): void
    {
        $result = self::played(1, 100, $blindness);
        $lines = $result->figures['findings'] ?? [];
        self::assertIsArray($lines);

        self::assertSame(1, $result->exitCode());
        self::assertContains('stale: its page was kept', $lines);
        self::assertContains('  read:', $lines);
        $inserts = array_filter($lines, static fn(string $line): bool => str_contains($line, 'INSERT OR IGNORE'));
        self::assertLessThan(6, \count($inserts), 'What is printed is the least that shows it.');
    }

    private static function played(int $seed, int $pairs, Blindness $blindness = Blindness::None): Result
    {
        $values = ['seed' => $seed, 'pairs' => $pairs, 'broken' => $blindness->value];
        $values += ['without' => '', 'registry' => 'declared', 'database' => 'sqlite'];

        return (new ExactTorture())->run(new Run($values, static function (): void {}));
    }
}
