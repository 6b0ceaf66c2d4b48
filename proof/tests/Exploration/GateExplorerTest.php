<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exploration;

use Larder\Proof\Exploration\GateExplorer;
use Larder\Proof\Exploration\GateScenario;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/** The explorer of gates finds the stale values that must be there. `torture explore` looks where none may be. */
#[CoversNothing]
#[Group('explore')]
final class GateExplorerTest extends TestCase
{
    /**
     * The one hole, as Gates says: a gate is lost between the writer's last look and the end, and the writer dies after
     * COMMIT.
     */
    public function testALossAndADeathTogetherAreFound(): void
    {
        $schedule = (new GateExplorer(new GateScenario(1, 0, 1, deaths: 1, losses: 1)))->search();

        self::assertNotNull($schedule);
        self::assertContains('the gate is lost', $schedule);
        self::assertContains('W1 dies', $schedule);
    }

    public function testALateReaderMustLookWhetherAnythingChanged(): void
    {
        self::assertNotNull((new GateExplorer(new GateScenario(0, 1, 1, unseen: true)))->search());
    }

    public function testATransactionThatBeganEarlierMustBeTold(): void
    {
        self::assertNotNull((new GateExplorer(new GateScenario(0, 0, 1, old: 1, unseen: true)))->search());
    }
}
