<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/** The real Gates in every order of steps: no value is served that was made from data before a COMMIT that returned. */
#[CoversNothing]
#[Group('explore')]
final class GateExplorerTest extends TestCase
{
    /** @return iterable<string, array{GateSetting, int}> */
    public static function settings(): iterable
    {
        foreach ([
            [new GateSetting(1, 0, 1, deaths: 1), 150],
            [new GateSetting(1, 0, 1, losses: 1), 700],
            [new GateSetting(0, 1, 1, deaths: 1), 150],
            [new GateSetting(0, 1, 1, losses: 1), 700],
            [new GateSetting(1, 1, 1), 1500],
            [new GateSetting(1, 0, 2), 15_000],
        ] as [$setting, $least]) {
            yield (string) $setting => [$setting, $least];
        }
    }

    /** @param int $least states, lest an explorer that explores nothing passes */
    #[DataProvider('settings')]
    public function testNothingStaleIsServed(GateSetting $setting, int $least): void
    {
        $explorer = new GateExplorer($setting);

        self::assertNull($explorer->search());
        self::assertGreaterThanOrEqual($least, $explorer->states);
    }

    /** The one hole, as Gates says: a gate is lost between the writer's last look and the end, and the writer dies after COMMIT. */
    public function testALossAndADeathTogetherAreFound(): void
    {
        $schedule = (new GateExplorer(new GateSetting(1, 0, 1, deaths: 1, losses: 1)))->search();

        self::assertNotNull($schedule);
        self::assertContains('the gate is lost', $schedule);
        self::assertContains('W1 dies', $schedule);
    }

    public function testALateReaderMustLookWhetherAnythingChanged(): void
    {
        self::assertNotNull((new GateExplorer(new GateSetting(0, 1, 1, unseen: true)))->search());
    }
}
