<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use Larder\Page\FilePageStore;
use LogicException;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/** Nothing stale is ever served, in any order of steps and deaths; and the explorer that says so can see it when it is. */
#[CoversNothing]
#[Group('explore')]
final class ExplorerTest extends TestCase
{
    /** @return iterable<string, array{Setting, int}> */
    public static function settings(): iterable
    {
        $least = ['1R 1W' => 120, '1R 1W every step' => 700, '1R 1W with faults' => 150, '1R 0W 1F every step' => 1500, '1R 2W' => 350, '2R 1W' => 1800];
        foreach (Setting::usual() as $setting) {
            yield (string) $setting => [$setting, $least[(string) $setting] ?? throw new LogicException('Say how many states there are at least.')];
        }
    }

    /** @param int $least states, lest an explorer that explores nothing passes */
    #[DataProvider('settings')]
    public function testTheRealClassesNeverServeAStalePage(Setting $setting, int $least): void
    {
        $exploration = $setting->explore();

        self::assertSame([], $exploration->wrong, $exploration->explained());
        self::assertGreaterThanOrEqual($least, $exploration->states);
    }

    /** @return iterable<string, array{Double}> */
    public static function doubles(): iterable
    {
        foreach (Double::cases() as $double) {
            yield $double->value => [$double];
        }
    }

    #[DataProvider('doubles')]
    public function testEveryGuardIsNeeded(Double $double): void
    {
        $exploration = $double->setting()->explore($double->subject(), $double->wrong());

        self::assertArrayHasKey($double->wrong()->value, $exploration->wrong, \sprintf('Not found although %s: %s', $double->value, $exploration->explained()));
        self::assertNotSame([], $exploration->schedule($double->wrong()), $exploration->explained());
    }

    public function testStepsThatAreLeftOutChangeNothingThatCanBeSeen(): void
    {
        $reduced = (new Setting(1, 1))->explore();
        $every = (new Setting(1, 1, everyStep: true))->explore();

        self::assertGreaterThan($reduced->states, $every->states);
        self::assertSame($every->sights, $reduced->sights);
    }

    public function testADeathIsNeededToSeeThatARenameMustNotComeBeforeTheCommit(): void
    {
        $schedule = Double::RenamedInTransaction->setting()->explore(Double::RenamedInTransaction->subject(), Wrong::Stale)->schedule(Wrong::Stale);

        self::assertNotSame([], preg_grep('/^R1 dies before /', $schedule));
    }

    public function testTwoRunsFindTheSame(): void
    {
        self::assertEquals((new Setting(1, 1))->explore(), (new Setting(1, 1))->explore());
    }

    public function testAMutantOfCodeThatMovedOnFailsLoudly(): void
    {
        $this->expectException(LogicException::class);
        $this->expectExceptionMessage('contains this 0 times, not once');

        (new Mutant(FilePageStore::class, ['a line that was never there' => '']))->load();
    }

    public function testLeavesNoFilesBehind(): void
    {
        $directory = Ground::temporary(new StoppedClock());
        self::assertDirectoryExists($directory->pages);

        $directory->remove();

        self::assertDirectoryDoesNotExist(\dirname($directory->pages));
    }
}
