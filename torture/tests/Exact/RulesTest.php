<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Exact;

use Larder\Torture\Exact\Database;
use Larder\Torture\Exact\Rule;
use Larder\Torture\Exact\Theme;
use Larder\Torture\Exact\Themes;
use Larder\Torture\TortureCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Without any of its rules a stale read is found: of SQLite, or of the database that LARDER_DATABASE names. */
#[CoversClass(Rule::class)]
#[CoversClass(Theme::class)]
#[CoversClass(Themes::class)]
final class RulesTest extends TestCase
{
    /** @var array<string, array<string, int>> seeds whose first schema shows that a rule is missing, by database */
    private const SEEDS = [
        'sqlite' => [],
        'mariadb' => [],
        'postgresql' => [],
    ];

    /** @return iterable<string, array{Database, Rule, int}> */
    public static function rules(): iterable
    {
        $database = Database::from((string) (getenv('LARDER_DATABASE') ?: 'sqlite'));
        foreach (self::SEEDS[$database->value] as $rule => $seed) {
            yield "$rule on $database->value" => [$database, Rule::from($rule), $seed];
        }
    }

    /** In a process of its own, since a class is replaced. */
    #[DataProvider('rules')]
    public function testARuleThatIsSwitchedOffIsMissed(Database $database, Rule $rule, int $seed): void
    {
        $process = new Process([PHP_BINARY, TortureCommand::script(), 'exact', "--database=$database->value",
            '--registry=schema', "--seed=$seed", '--pairs=2400', "--without=$rule->value"]);
        $process->setTimeout(120);

        self::assertSame(1, $process->run(), $process->getErrorOutput() . $process->getOutput());
        self::assertStringContainsString("seed $seed: stale", $process->getErrorOutput());
    }
}
