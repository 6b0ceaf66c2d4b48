<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exploration;

use Larder\Page\MemcachedPageStore;
use Larder\Proof\Exploration\BrokenServerDouble;
use Larder\Proof\Exploration\Implementation;
use Larder\Proof\Exploration\Scenario;
use Larder\Proof\Exploration\Troubles;
use Larder\Proof\Mutation\Mutant;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/**
 * The explorer finds what goes wrong without a guard of algorithm D+. `torture explore --algorithm=D+` looks whether
 * anything does with all of them.
 */
#[CoversNothing]
#[Group('explore')]
final class ServerExplorerTest extends TestCase
{
    /** @return iterable<string, array{BrokenServerDouble}> */
    public static function doubles(): iterable
    {
        foreach (BrokenServerDouble::cases() as $broken) {
            yield $broken->value => [$broken];
        }
    }

    #[DataProvider('doubles')]
    public function testEveryGuardIsNeeded(BrokenServerDouble $broken): void
    {
        $exploration = $broken->scenario()->explore($broken->implementation(), $broken->violation());

        self::assertArrayHasKey(
            $broken->violation()->value,
            $exploration->violations,
            \sprintf('Not found although %s: %s', $broken->value, $exploration->explained()),
        );
        self::assertNotSame([], $exploration->schedule($broken->violation()), $exploration->explained());
    }

    /** What is left of the guards is enough: the scenario of each double finds nothing in the real classes. */
    #[DataProvider('doubles')]
    public function testTheRealClassesPassWhereADoubleFails(BrokenServerDouble $broken): void
    {
        $exploration = $broken->scenario()->explore();

        self::assertSame([], $exploration->violations, $exploration->explained());
    }

    public function testAChangeMayEmptyTheServer(): void
    {
        $any = Mutant::of(MemcachedPageStore::class)->replace('MANY / consts.0.value', '0');
        $exploration = (new Scenario(1, 1, servers: new Troubles()))->explore(new Implementation($any));

        self::assertSame([], $exploration->violations, $exploration->explained());
    }

    public function testAPacketOfADeadRendererComesLate(): void
    {
        $schedule = BrokenServerDouble::PlainSet->scenario()
            ->explore(BrokenServerDouble::PlainSet->implementation(), BrokenServerDouble::PlainSet->violation())
            ->schedule(BrokenServerDouble::PlainSet->violation());

        self::assertNotSame([], preg_grep('/^R1 dies before /', $schedule));
        self::assertNotSame([], preg_grep('/^server does late of R1~1: ms /', $schedule));
    }

    public function testTwoRunsFindTheSame(): void
    {
        $scenario = new Scenario(1, 1, servers: new Troubles());

        self::assertEquals($scenario->explore(), $scenario->explore());
    }
}
