<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Run\Planner;
use Larder\Bench\Run\Profile;
use Larder\Bench\Workload\Tests;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Profile::class)]
final class ProfileTest extends TestCase
{
    public function testEveryProfileHasTestsThatThereAreAndSubjectsThatCan(): void
    {
        $catalogue = Planner::catalogue();
        $tests = Tests::standard($catalogue);
        foreach (Profile::cases() as $profile) {
            foreach ((new Planner($catalogue, $tests, $profile))->plan() as $planned) {
                foreach ($planned->subjects as $subject) {
                    if ($profile !== Profile::Full && $profile !== Profile::Quick) {
                        self::assertNull(
                            $planned->test->workload->refuses($subject),
                            $planned->id() . ', ' . $subject->id,
                        );
                    }
                }
            }
            self::assertGreaterThanOrEqual(10, $profile->looks()->first());
            self::assertLessThanOrEqual($profile->longest(), $profile->budget());
            self::assertGreaterThan(60.0, $profile->longest());
        }
    }
}
