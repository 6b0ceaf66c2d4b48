<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exploration;

use Larder\Proof\Exploration\RedisClient;
use Larder\Proof\Exploration\RedisExplorer;
use Larder\Proof\Exploration\RedisMoves;
use Larder\Proof\Exploration\RedisNode;
use Larder\Proof\Exploration\RedisRule;
use Larder\Proof\Exploration\RedisState;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The rule of RedisStore holds in every state, and each of the others is found not to. */
#[CoversClass(RedisExplorer::class)]
#[CoversClass(RedisMoves::class)]
#[CoversClass(RedisState::class)]
#[CoversClass(RedisNode::class)]
#[CoversClass(RedisClient::class)]
#[CoversClass(RedisRule::class)]
final class RedisExplorerTest extends TestCase
{
    /** `explore --redis` walks through those that are larger. */
    private const LARGE = 10_000;

    /** @return iterable<string, array{RedisRule, string, int}> */
    public static function scenarios(): iterable
    {
        foreach (RedisRule::cases() as $rule) {
            foreach ($rule->minima() as $troubles => $minimum) {
                if ($minimum < self::LARGE) {
                    yield "$rule->name, $troubles" => [$rule, $troubles, $minimum];
                }
            }
        }
    }

    #[DataProvider('scenarios')]
    public function testARuleHoldsOrIsFound(RedisRule $rule, string $troubles, int $minimum): void
    {
        $explorer = new RedisExplorer($rule, explode(' and ', $troubles));
        $schedule = $explorer->search();

        self::assertSame($rule->holds(), $schedule === null, implode("\n", $schedule ?? []));
        self::assertGreaterThanOrEqual($minimum, $explorer->states);
    }
}
