<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Tags;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Tags\Churn;
use Larder\Bench\Workload\Tags\ChurnClient;
use Larder\Bench\Workload\Tags\Growth;
use Larder\Bench\Workload\Tags\Records;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

#[CoversClass(Churn::class)]
#[CoversClass(ChurnClient::class)]
#[CoversClass(Growth::class)]
#[CoversClass(Records::class)]
final class ChurnTest extends TestCase
{
    private const SMALL = ['records' => 200, 'tags' => 50, 'seconds' => 0.3, 'workers' => 1];

    public function testRecordsAreThoseOfTheDefinitionAndTheSameForASeed(): void
    {
        $records = new Records(7);
        self::assertEquals($records, new Records(7));
        self::assertNotEquals($records->tags, (new Records(8))->tags);
        self::assertSame([10_000, 2_000], [\count($records->tags), $records->numberOfTags]);
        $counts = array_map(\count(...), $records->tags);
        self::assertSame([0, 15], [min($counts), max($counts)]);
        self::assertSame([1, 1024], [min($records->sizes), max($records->sizes)]);
        self::assertSame([], array_diff(array_unique(array_merge(...$records->tags)), range(0, 1_999)));
        foreach ($records->tags as $tags) {
            self::assertSame($tags, array_values(array_unique($tags)));
        }
    }

    public function testSomeAreAskedForMoreAndOthersChangeMore(): void
    {
        $records = new Records(7, 100, 100);
        $random = new Randomizer(new Xoshiro256StarStar(1));
        $asked = array_count_values(array_map(static fn(): int => $records->asked($random), range(1, 10_000)));
        $changed = array_count_values(array_map(static fn(): int => $records->changed($random), range(1, 10_000)));
        arsort($asked);
        arsort($changed);
        self::assertGreaterThan(5 * array_values($asked)[50], max($asked));
        self::assertGreaterThan(5 * array_values($changed)[50], max($changed));
        self::assertNotSame(array_key_first($asked), array_key_first($changed));
    }

    public function testATextFollowsFromTheDataAndHasItsLength(): void
    {
        $records = new Records(7, 50, 20);
        foreach (array_keys($records->tags) as $record) {
            self::assertSame($records->sizes[$record], \strlen($records->text($record, [])));
        }
        self::assertNotSame($records->text(3, [1 => 1]), $records->text(3, [1 => 2]));
        self::assertNotSame($records->text(3, [1 => 1]), $records->text(4, [1 => 1]));
    }

    public function testAnHonestOneHasNothingStale(): void
    {
        $measured = self::churn(new FaultyTagged());
        self::assertSame(0.0, $measured->extra['stale reads']);
        foreach (['reads/s', 'writes/s', 'cleans/s', 'kept after filling, MB'] as $figure) {
            self::assertGreaterThan(0.0, $measured->extra[$figure], $figure);
        }
        self::assertLessThan(100.0, $measured->extra['hits, %']);
        self::assertGreaterThan(20.0, $measured->extra['hits, %']);
    }

    public function testWhatWasMadeBeforeAChangeIsCounted(): void
    {
        self::assertGreaterThan(0.0, self::churn(new FaultyTagged('deaf'))->extra['stale reads']);
    }

    public function testWhoPromisesThatIsWrong(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessageMatches(
            '/made from generation \d+ of tag \d+, though it was changed to \d+ before/',
        );
        self::churn(new FaultyTagged('deaf'), exact: true);
    }

    public function testAnotherRecordIsFound(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('not what was made');
        self::churn(new FaultyTagged('another-record'));
    }

    /**
     * A reader may get the old value until a client has changed both data and cache, so only announced changes count.
     */
    public function testAChangeCountsWhenItIsDone(): void
    {
        $records = new Records(7, 50, 20);
        $board = ChurnClient::board($records);
        $tagged = new FaultyTagged('deaf');
        $client = new ChurnClient($tagged, $records, $board, '', 1, 0, 1);
        $record = (int) array_key_first(array_filter($records->tags));
        $tag = $records->tags[$record][0];
        $client->read($record);
        $board->set('generation', 1, $tag);
        $client->read($record);
        self::assertSame(0, $client->stale);
        $board->set('generation', 0, $tag);
        $client->clean($tag);
        $client->read($record);
        self::assertSame([1, 3, 1], [$client->stale, $client->reads, $client->cleans]);
    }

    public function testWhatChangesLeaveIsMeasured(): void
    {
        $clean = self::growth(new FaultyTagged());
        self::assertSame([0.0, 0.0], [$clean->extra['added by all, kB'], $clean->extra['left by a change, B']]);
        self::assertSame(3_000, $clean->window->operations);
        $leaking = self::growth(new FaultyTagged('leaks'));
        self::assertSame(
            [10.0, 30.0, 10.0],
            [
                $leaking->extra['added by the first 1,000 changes, kB'],
                $leaking->extra['added by all, kB'],
                $leaking->extra['left by a change, B'],
            ],
        );
    }

    public function testRefuseWhoHasNoTags(): void
    {
        $noop = new Definition('noop', 'Nothing', Noop::class, static fn(): Noop => new Noop());
        self::assertSame(
            ['has no tags', 'has no tags, or no account of its memory'],
            [(new Churn())->refuses($noop), (new Growth())->refuses($noop)],
        );
        foreach (['cache-memory', 'symfony-tags', 'symfony-tag-sets'] as $id) {
            self::assertSame(
                [null, null],
                [
                    (new Churn())->refuses(Catalogue::standard()->get($id)),
                    (new Growth())->refuses(Catalogue::standard()->get($id)),
                ],
            );
        }
    }

    private static function churn(FaultyTagged $tagged, bool $exact = false): Measured
    {
        return (new Churn())->measure(self::job([...self::SMALL, 'cleans' => 5.0]), self::definition($tagged, $exact));
    }

    private static function growth(FaultyTagged $tagged): Measured
    {
        return (new Growth())->measure(self::job(['changes' => 3_000, 'first' => 1_000]), self::definition($tagged));
    }

    /** The values are not shared between processes: the worker inherits those that its parent made. */
    private static function definition(FaultyTagged $tagged, bool $exact = false): Definition
    {
        $make = static fn(): FaultyTagged => $tagged;

        return new Definition('tagged', 'Tagged', FaultyTagged::class, $make, shared: false, exact: $exact);
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private static function job(array $parameters): Job
    {
        return new Job('tags', 'tagged', $parameters, 0.25, 0, 7, [], '/nowhere', 'test:');
    }
}
