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
        'sqlite' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'outer-join' => 1,
            'carried' => 7, 'boundaries' => 9, 'declared' => 9, 'volatile' => 11, 'number' => 5, 'collate' => 87,
            'letter-case' => 117, 'collation' => 5, 'column-types' => 5, 'before-images' => 15, 'after-images' => 19,
            'keys' => 71, 'foreign-keys' => 15, 'referenced-columns' => 15, 'triggers' => 17, 'replace' => 43,
            'commit' => 19, 'release' => 47, 'raise' => 19, 'drop' => 19,
        ],
        'mariadb' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'exclusive-or' => 3,
            'outer-join' => 1, 'carried' => 7, 'boundaries' => 9, 'declared' => 9, 'functions' => 11,
            'volatile' => 11, 'virtual-columns' => 11, 'engines' => 51, 'snapshot' => 19, 'number' => 5,
            'own-type' => 5, 'collate' => 3, 'padding' => 5, 'letter-case' => 5, 'ascii' => 61, 'collation' => 33,
            'column-types' => 5, 'before-images' => 15, 'after-images' => 19, 'keys' => 15, 'foreign-keys' => 15,
            'referenced-columns' => 15, 'triggers' => 17, 'triggers-before' => 13, 'replace' => 15, 'temporary' => 21,
            'old-schema' => 83, 'old-sets' => 81, 'commit' => 19, 'implicit-commit' => 19, 'gates' => 19,
            'everything' => 19, 'versions' => 19, 'raise' => 19, 'drop' => 19,
        ],
        'postgresql' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'outer-join' => 1,
            'boundaries' => 9, 'declared' => 9, 'functions' => 11, 'volatile' => 11, 'inheritance' => 79,
            'snapshot' => 19, 'collate' => 3, 'cast' => 31, 'characters' => 5, 'collation' => 33,
            'before-images' => 15, 'after-images' => 19, 'foreign-keys' => 43, 'referenced-columns' => 71,
            'triggers' => 17, 'triggers-before' => 41, 'rules' => 23, 'temporary' => 21,
            'old-schema' => 27, 'commit' => 19, 'rollback-to' => 47, 'everything' => 27,
            'slot-locks' => 29, 'versions' => 19, 'raise' => 19, 'drop' => 19,
        ],
    ];

    /** @return iterable<string, array{Database, Rule, int}> */
    public static function rules(): iterable
    {
        $named = (string) getenv('LARDER_DATABASE');
        $database = Database::from($named === '' ? 'sqlite' : $named);
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
