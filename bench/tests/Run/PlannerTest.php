<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Result\Role;
use Larder\Bench\Run\Planned;
use Larder\Bench\Run\Planner;
use Larder\Bench\Run\Profile;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;
use Larder\Bench\Workload\Tests;
use PHPUnit\Framework\TestCase;

final class PlannerTest extends TestCase
{
    public function testPlansAChartForEachConditionOfTheProfile(): void
    {
        self::assertSame(
            ['one?check=A/A&workers=1', 'one?workers=1', 'one?workers=2'],
            $this->ids($this->planner(Profile::Quick)),
        );
        self::assertSame(
            [
                'one?check=A/A&workers=1',
                'one?workers=1',
                'one?workers=2',
                'one?workers=4',
                'two?serializer=php',
                'two?serializer=json',
            ],
            $this->ids($this->planner(Profile::Full)),
        );
    }

    public function testTakesFewerSubjectsInTheQuickProfileWhereTheTestSaysSo(): void
    {
        $subjects = static fn(Profile $profile, Planner $planner): array => array_map(
            static fn(Definition $subject): string => $subject->id,
            $planner->plan()[1]->subjects,
        );

        self::assertSame(['noop', 'file'], $subjects(Profile::Quick, $this->planner(Profile::Quick)));
        self::assertSame(['noop', 'file', 'sqlite'], $subjects(Profile::Full, $this->planner(Profile::Full)));
        self::assertSame(
            ['sqlite', 'array'],
            $subjects(Profile::Full, $this->planner(Profile::Full, clients: 'sqlite:array')),
        );
    }

    public function testMeasuresATestThatIsNamedAlsoIfTheProfileLeavesItOut(): void
    {
        self::assertContains('two?serializer=php', $this->ids($this->planner(Profile::Quick, tests: 'two')));
    }

    public function testReplacesWorkersAndSerializersWhereTheTestHasThem(): void
    {
        self::assertSame(
            ['one?workers=8', 'one?workers=16', 'two?serializer=igbinary'],
            \array_slice($this->ids($this->planner(Profile::Full, serializers: ['igbinary'], workers: [8, 16])), 1),
        );
    }

    public function testChecksTheFirstContenderAgainstItself(): void
    {
        $check = $this->planner(Profile::Quick)->plan()[0];

        self::assertSame(
            ['file', 'file#2'],
            array_map(static fn(Definition $subject): string => $subject->id, $check->subjects),
        );
        self::assertSame(
            [Role::Contender, Role::Twin],
            array_map(static fn(Definition $subject): Role => $subject->role, $check->subjects),
        );
        self::assertGreaterThanOrEqual(10, $check->looks->first());
        self::assertGreaterThan(1, \count($check->looks->blocks));
    }

    public function testNamesWhatIsKnownWhenATestOrClientIsNot(): void
    {
        try {
            $this->planner(Profile::Quick, tests: 'one:three')->plan();
            self::fail('it took a test that is not there');
        } catch (UsageError $exception) {
            self::assertStringContainsString('one, two', $exception->getMessage());
        }
        $this->expectException(UsageError::class);
        $this->expectExceptionMessage('sqlite');
        $this->planner(Profile::Quick, clients: 'sqlight')->plan();
    }

    public function testRefusesToMeasureNothing(): void
    {
        $this->expectException(UsageError::class);

        (new Planner(Catalogue::standard(), new Tests([]), Profile::Quick))->plan();
    }

    /**
     * @param list<string>|null $serializers
     * @param list<int>|null    $workers
     */
    private function planner(
        Profile $profile,
        ?string $clients = null,
        ?string $tests = null,
        ?array $serializers = null,
        ?array $workers = null,
    ): Planner {
        $workload = new InProcess(KeyOperations::SetGet);
        $rows = new Tests([
            new Test(
                'one',
                'One',
                'set and get',
                'pairs',
                $workload,
                ['noop', 'file', 'sqlite'],
                [['workers' => 1], ['workers' => 2]],
                [['workers' => 1], ['workers' => 2], ['workers' => 4]],
                ['noop', 'file'],
            ),
            new Test(
                'two',
                'Two',
                'set and get',
                'pairs',
                $workload,
                ['file'],
                [],
                [['serializer' => 'php'], ['serializer' => 'json']],
            ),
        ]);

        return new Planner(Catalogue::standard(), $rows, $profile, $clients, $tests, $serializers, $workers);
    }

    /** @return list<string> */
    private function ids(Planner $planner): array
    {
        return array_map(static fn(Planned $planned): string => $planned->id(), $planner->plan());
    }
}
