<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Exact;

use Larder\Torture\Exact\Blindness;
use Larder\Torture\Exact\Choices;
use Larder\Torture\Exact\ExactTorture;
use Larder\Torture\Exact\Finding;
use Larder\Torture\Exact\ReadMaker;
use Larder\Torture\Exact\Round;
use Larder\Torture\Exact\Rule;
use Larder\Torture\Exact\SchemaMaker;
use Larder\Torture\Exact\Trial;
use Larder\Torture\Exact\WatchedCopy;
use Larder\Torture\Exact\WriteMaker;
use Larder\Torture\Exploration\Mutant;
use Larder\Torture\Profile;
use Larder\Torture\Result;
use Larder\Torture\TortureCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** The judge finds what is wrong, or its zero would mean nothing, and it finds the same again. */
#[CoversClass(ExactTorture::class)]
#[CoversClass(Round::class)]
#[CoversClass(Trial::class)]
#[CoversClass(Finding::class)]
#[CoversClass(Rule::class)]
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

    /** @return iterable<string, array{Rule, int}> a rule, and a seed whose first schema shows that it is missing */
    public static function rules(): iterable
    {
        yield 'what is not declared' => [Rule::Declared, 14];
        yield 'foreign keys' => [Rule::ForeignKeys, 9];
        yield 'triggers' => [Rule::Triggers, 1];
        yield 'REPLACE' => [Rule::Replace, 102];
        yield 'COMMIT' => [Rule::Commit, 1];
    }

    /** In a process of its own, since a class is replaced. */
    #[DataProvider('rules')]
    public function testARuleThatIsSwitchedOffIsMissed(Rule $rule, int $seed): void
    {
        $command = [PHP_BINARY, TortureCommand::script(), 'exact', "--seed=$seed", '--pairs=1200'];
        $process = new Process([...$command, "--without=$rule->value"]);

        self::assertSame(1, $process->run(), $process->getErrorOutput());
        self::assertStringContainsString("seed $seed: stale", $process->getErrorOutput());
    }

    private static function played(int $seed, int $pairs, Blindness $blindness = Blindness::None): Result
    {
        $values = ['seed' => $seed, 'pairs' => $pairs, 'broken' => $blindness->value];
        $values += ['without' => '', 'registry' => 'declared', 'database' => 'sqlite'];

        return (new ExactTorture())->run(new Profile($values, static function (): void {}));
    }
}
