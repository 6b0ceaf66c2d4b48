<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exploration;

use Larder\Page\FilePageStore;
use Larder\Proof\Exploration\BrokenDouble;
use Larder\Proof\Exploration\Implementation;
use Larder\Proof\Exploration\Scenario;
use Larder\Proof\Exploration\StoppedClock;
use Larder\Proof\Exploration\Storage;
use Larder\Proof\Mutation\Mutant;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/**
 * The explorer finds what goes wrong without a guard. `torture explore` looks whether anything does with all of them.
 */
#[CoversNothing]
#[Group('explore')]
final class ExplorerTest extends TestCase
{
    /** @return iterable<string, array{BrokenDouble}> */
    public static function doubles(): iterable
    {
        foreach (BrokenDouble::cases() as $broken) {
            yield $broken->value => [$broken];
        }
    }

    #[DataProvider('doubles')]
    public function testEveryGuardIsNeeded(BrokenDouble $broken): void
    {
        $exploration = $broken->scenario()->explore($broken->implementation(), $broken->violation());

        self::assertArrayHasKey(
            $broken->violation()->value,
            $exploration->violations,
            \sprintf('Not found although %s: %s', $broken->value, $exploration->explained()),
        );
        $schedule = $exploration->schedule($broken->violation());
        self::assertNotSame([], $schedule, $exploration->explained());
        if ($broken === BrokenDouble::RenamedInTransaction) {
            // A rename before the COMMIT is wrong only if its process dies in between.
            self::assertNotSame([], preg_grep('/^R1 dies before /', $schedule));
        }
    }

    public function testStepsThatAreLeftOutChangeNothingThatCanBeSeen(): void
    {
        $reduced = (new Scenario(1, 1))->explore();
        $every = (new Scenario(1, 1, everyStep: true))->explore();

        self::assertGreaterThan($reduced->states, $every->states);
        self::assertSame($every->sights, $reduced->sights);
    }

    public function testADirectoryMayGoWithItsPages(): void
    {
        $any = Mutant::of(FilePageStore::class)->replace('WHOLE / consts.0.value', '1');

        self::assertSame([], (new Scenario(1, 1))->explore(new Implementation($any))->violations);
    }

    public function testTwoRunsFindTheSame(): void
    {
        self::assertEquals((new Scenario(1, 1))->explore(), (new Scenario(1, 1))->explore());
    }

    public function testLeavesNoFilesBehind(): void
    {
        $directory = Storage::temporary(new StoppedClock(), new Scenario(1, 1));
        self::assertDirectoryExists($directory->pages);

        $directory->remove();

        self::assertDirectoryDoesNotExist(\dirname($directory->pages));
    }
}
