<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exact;

use Larder\Proof\Exact\Rule;
use Larder\Proof\TortureCommand;
use Larder\Tests\Support\Sql\Database;
use Larder\Tests\Support\Sql\Theme;
use Larder\Tests\Support\Sql\Themes;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Without any of its rules a stale read is found: on the database that LARDER_DATABASE names. Unless it does, some of
 * each kind are tested on SQLite.
 */
#[CoversClass(Rule::class)]
#[CoversClass(Theme::class)]
#[CoversClass(Themes::class)]
final class RulesTest extends TestCase
{
    /**
     * A rule that is not named has no case on that database: it has no such words or columns, it has one writer at a
     * time, or the canonical text of a value says the same once more.
     *
     * @var array<string, array<string, int>> seeds whose first schema shows that a rule is missing, by database
     */
    private const SEEDS = [
        'sqlite' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'outer-join' => 1,
            'carried' => 337, 'boundaries' => 9, 'views' => 9, 'declared' => 9, 'volatile' => 11, 'number' => 5,
            'collate' => 3, 'letter-case' => 5, 'collation' => 215, 'column-types' => 5, 'before-images' => 15,
            'after-images' => 19, 'keys' => 105, 'foreign-keys' => 15, 'referenced-columns' => 165, 'triggers' => 17,
            'replace' => 75, 'commit' => 19, 'release' => 19, 'schema' => 27, 'raise' => 19, 'drop' => 19,
        ],
        'mariadb' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'exclusive-or' => 3,
            'outer-join' => 1, 'carried' => 37, 'boundaries' => 9, 'views' => 9, 'declared' => 9, 'functions' => 11,
            'volatile' => 11, 'virtual-columns' => 11, 'engines' => 53, 'snapshot' => 1, 'number' => 5,
            'own-type' => 5, 'collate' => 63, 'padding' => 65, 'letter-case' => 65, 'ascii' => 35, 'collation' => 5,
            'column-types' => 35, 'before-images' => 15, 'after-images' => 19, 'keys' => 15, 'foreign-keys' => 15,
            'referenced-columns' => 195, 'triggers' => 17, 'triggers-before' => 13, 'replace' => 15,
            'upsert-before' => 29, 'upsert-after' => 29, 'temporary' => 21, 'old-schema' => 177, 'old-sets' => 85,
            'sets-lock' => 145, 'commit' => 19, 'implicit-commit' => 19, 'gates' => 19, 'everything' => 27,
            'schema' => 27, 'slot-locks' => 151, 'versions' => 19, 'raise' => 19, 'drop' => 19,
        ],
        'postgresql' => [
            'chain' => 3, 'in-chain' => 3, 'not' => 3, 'not-in' => 3, 'is' => 3, 'or' => 3, 'outer-join' => 1,
            'boundaries' => 9, 'views' => 9, 'declared' => 9, 'functions' => 11, 'volatile' => 11, 'inheritance' => 53,
            'snapshot' => 19, 'collate' => 63, 'cast' => 33, 'characters' => 35, 'collation' => 65,
            'before-images' => 15, 'after-images' => 19, 'keys' => 45, 'foreign-keys' => 15,
            'referenced-columns' => 45, 'triggers' => 17, 'triggers-before' => 43, 'upsert-before' => 29,
            'upsert-after' => 29, 'rules' => 53, 'temporary' => 21, 'old-schema' => 147, 'old-sets' => 25,
            'sets-lock' => 25, 'commit' => 19, 'rollback-to' => 49, 'everything' => 27, 'schema' => 27,
            'slot-locks' => 61, 'versions' => 19, 'raise' => 19, 'drop' => 19,
        ],
    ];

    /** Of each kind of rules. */
    private const SOME = [
        'not', 'outer-join', 'carried', 'views', 'letter-case', 'before-images', 'after-images', 'foreign-keys',
        'triggers', 'commit', 'schema', 'raise', 'drop',
    ];

    /** @return iterable<string, array{Database, Rule, int}> */
    public static function rules(): iterable
    {
        $named = (string) getenv('LARDER_DATABASE');
        $database = Database::from($named === '' ? 'sqlite' : $named);
        $seeds = self::SEEDS[$database->value];
        foreach ($named === '' ? array_intersect_key($seeds, array_flip(self::SOME)) : $seeds as $rule => $seed) {
            yield "$rule on $database->value" => [$database, Rule::from($rule), $seed];
        }
    }

    /** In a process of its own, since a class is replaced. */
    #[DataProvider('rules')]
    public function testARuleThatIsSwitchedOffIsMissed(Database $database, Rule $rule, int $seed): void
    {
        $process = new Process([PHP_BINARY, TortureCommand::script(), 'exact', "--database=$database->value",
            '--registry=schema', "--seed=$seed", '--pairs=2400', "--without=$rule->value"]);
        $process->setTimeout(600);

        self::assertSame(1, $process->run(), $process->getErrorOutput() . $process->getOutput());
        self::assertStringContainsString("seed $seed: stale", $process->getErrorOutput());
    }
}
