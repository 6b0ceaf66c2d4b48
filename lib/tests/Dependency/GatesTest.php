<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Fiber;
use Larder\Answer;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Gate\GateEntries;
use Larder\Dependency\Gate\WriterGates;
use Larder\Dependency\Gates;
use Larder\Dependency\RunningCompute;
use Larder\Dependency\SeenVersions;
use Larder\Dependency\ToldSource;
use Larder\Dependency\Unstored;
use Larder\Dependency\Words;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Tests\Cache\HookedStore;
use Larder\Tests\Discovery\SteppedClock;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ReflectionProperty;
use RuntimeException;
use ValueError;

/** Names are words and $this->data is the data: a write of it is its COMMIT. */
#[CoversClass(Gates::class)]
#[CoversClass(GateEntries::class)]
#[CoversClass(WriterGates::class)]
#[CoversClass(ToldSource::class)]
#[CoversClass(Words::class)]
#[CoversClass(RunningCompute::class)]
#[CoversClass(ChangeFailed::class)]
final class GatesTest extends TestCase
{
    private SteppedClock $clock;
    private ArrayStore $array;
    private HookedStore $store;
    private Gates $gates;
    private Cache $cache;
    private int $data = 1;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->array = new ArrayStore($this->clock);
        $this->store = new HookedStore($this->array);
        $this->gates = new Gates($this->store, inTransaction: static fn(): bool => false);
        $this->cache = new Cache($this->store, $this->gates);
    }

    public function testAValueLivesUntilAnyOfItsNamesChanges(): void
    {
        foreach (['a', 'b', 'c'] as $name) {
            self::assertSame($this->data, $this->value(['a', 'b', 'c']));
            self::assertTrue($this->isStored(['a', 'b', 'c']));
            $this->change([$name]);
            self::assertFalse($this->isStored(['a', 'b', 'c']));
        }
        $this->value(['a', 'b', 'c']);
        $this->change(['d']);

        self::assertTrue($this->isStored(['a', 'b', 'c']));
    }

    public function testSeveralValuesAreJudgedEachByItsOwn(): void
    {
        $stamps = array_map(
            fn(array $names): array => $this->stamps($names),
            ['x' => ['a', 'b'], 'y' => ['b', 'c'], 'z' => ['a', 'c']],
        );
        $this->change(['b']);

        self::assertSame(['x' => false, 'y' => false, 'z' => true], $this->gates->hold($stamps));
    }

    public function testAHitWithNamesAsksOnce(): void
    {
        $stamps = $this->stamps(['a', 'b', 'c']);
        $this->store->calls = [];

        self::assertSame([true], $this->gates->hold([$stamps]));
        self::assertSame(['getMultiple'], $this->store->calls);
    }

    public function testAChangeDuringAComputeIsSeen(): void
    {
        $made = $this->gates->make(fn(): int => $this->during(fn() => $this->change(['a'])), ['a'], null);

        self::assertSame([1, null, Unstored::Changed], [$made->value, $made->stamps, $made->why]);
    }

    /** What make() asks before the compute may have been read a moment before, together with something else. */
    public function testVersionsThatWereSeenBeforeHideNoChange(): void
    {
        $this->stamps(['a']);
        $seen = $this->seen(['a']);
        $compute = fn(): int => $this->data;
        $make = fn(SeenVersions $seen): ComputedValue => $this->gates->makeOf($compute, ['a'], null, $seen);
        self::assertSame($this->stamps(['a']), $make($seen)->stamps);

        $this->change(['a']);

        $old = $make($seen);
        self::assertSame([null, Unstored::Changed], [$old->stamps, $old->why]);
        self::assertNotNull($make($this->seen(['a']))->stamps);
    }

    public function testACounterThatWasSeenBeforeHidesNoChange(): void
    {
        $this->change(['b']);
        $late = fn(): int => $this->data + 0 * $this->tell('a');
        $make = fn(SeenVersions $seen): ComputedValue => $this->gates->makeOf($late, [], null, $seen);
        $seen = $this->seen([]);
        self::assertNotNull($make($seen)->stamps);
        self::assertSame(
            Unstored::ToldLate,
            $make(new SeenVersions($seen->found, $seen->at - (int) 60e9))->why,
            'as long before as a gate lives',
        );

        $this->change(['a']);

        self::assertSame(Unstored::Changed, $make($seen)->why);
    }

    public function testNobodyWaitsForALeaseThatWasTakenBehindAClosedGate(): void
    {
        $this->other()->change(['a'], function (): void {
            // It looked a moment before.
            $this->store->once('getMultiple', static fn(): array => []);
            $lease = $this->cache->remember('k', fn(): ?int => $this->array->lease('k'), reads: ['a']);

            self::assertNotNull($lease);
        });
    }

    /** All is seen in between: the value is stored, but under a version that is gone. */
    public function testAChangeBetweenTheLastLookAndTheStoreIsSeen(): void
    {
        $this->store->once('set', fn() => $this->change(['a']));

        self::assertSame(1, $this->value(['a']));
        self::assertFalse($this->isStored(['a']));
    }

    public function testAWriterAtWorkForbidsToStore(): void
    {
        $this->other()->change(['a'], function (Change $change): void {
            self::assertSame(
                'its data is being changed',
                $this->gates->make(fn(): int => $this->data, ['a'], null)->refusal,
            );
            self::assertNotNull($this->gates->make(fn(): int => $this->data, ['b'], null)->stamps);
            $change->check();
            $this->data = 2;
        });

        self::assertSame(2, $this->value(['a']));
        self::assertTrue($this->isStored(['a']));
    }

    public function testOneOfTwoWritersDoesNotHideTheOther(): void
    {
        $this->other()->change(['a'], function (Change $slow): void {
            $this->other()->change(['a'], static fn(Change $quick) => $quick->check());
            self::assertSame(
                'its data is being changed',
                $this->gates->make(fn(): int => $this->data, ['a'], null)->refusal,
            );
            $slow->check();
            $this->data = 2;
        });

        self::assertSame(2, $this->value(['a']));
        self::assertTrue($this->isStored(['a']));
    }

    public function testAChangeOfANameThatNobodyHasReadLeavesNothingForLong(): void
    {
        for ($i = 0; $i < 10_000; ++$i) {
            $this->change(["name $i"]);
        }
        self::assertCount(1 + 1024, $this->left(), 'the counter and the latest changes');
        $this->clock->seconds += 60.0;
        self::assertSame(["\0c"], $this->left());
    }

    public function testAMissingVersionIsAMiss(): void
    {
        $stamps = $this->stamps(['a']);
        $this->array->delete("\0va");
        self::assertSame([false], $this->gates->hold([$stamps]));

        $this->stamps(['a']);
        self::assertSame([false], $this->gates->hold([$stamps]), 'nor does it come back');
    }

    public function testAVersionOutlivesItsValue(): void
    {
        $this->gates->make(fn(): int => $this->data, ['a'], 50_000.0);
        $this->gates->make(fn(): int => $this->data, ['b'], 1.0);
        $this->gates->make(fn(): int => $this->data, ['c'], null);
        $this->clock->seconds += 86_399.0;
        self::assertSame(["\0c", "\0va", "\0vb", "\0vc"], $this->left());
        $this->clock->seconds += 1.0;
        self::assertSame(["\0c", "\0va", "\0vc"], $this->left());
        $this->clock->seconds += 100_000.0;
        self::assertSame(["\0c", "\0vc"], $this->left());
    }

    public function testNamesOfAnyLength(): void
    {
        $long = str_repeat('n', 500);
        $this->value([$long, '7']);
        self::assertTrue($this->isStored([$long, '7']));
        $this->change([$long]);
        self::assertFalse($this->isStored([$long, '7']));
        foreach (['', $long . 'n'] as $name) {
            foreach ([
                fn() => $this->gates->make(static fn(): int => 1, [$name], null),
                fn() => $this->gates->reads($name),
                fn() => $this->change([$name]),
            ] as $call) {
                try {
                    $call();
                    self::fail('It took a name of ' . \strlen($name) . ' bytes.');
                } catch (UnknownName $exception) {
                    self::assertStringContainsString('1 to 500 bytes', $exception->getMessage());
                }
            }
        }
    }

    /** @param list<string> $names */
    private function seen(array $names): SeenVersions
    {
        $at = (int) hrtime(true);

        return new SeenVersions($this->array->getMultiple($this->gates->keysAhead($names)), $at);
    }

    public function testReadsMayBeToldAtAnyTime(): void
    {
        self::assertSame(1, $this->told());
        self::assertTrue($this->isTold());
        $this->change(['a']);
        self::assertFalse($this->isTold());
    }

    /**
     * @return iterable<string, array{Closure(self): mixed}> what happens between the read of the data and the telling
     *     of its name
     */
    public static function before(): iterable
    {
        yield 'a change' => [static fn(self $test) => $test->change(['a'])];
        yield 'two changes' => [static function (self $test): void {
            $test->change(['a']);
            $test->change(['a']);
        }];
        yield 'a change of it and others' => [static function (self $test): void {
            $test->change(['b']);
            $test->change(['c', 'a']);
            $test->change(['b']);
        }];
        yield 'a change of which it is not known what it was' => [static function (self $test): void {
            $test->change(['b']);
            $notes = array_values(array_filter($test->left(), static fn(string $key): bool => $key[1] === 'l'));
            $test->array->deleteMultiple($notes);
        }];
        yield 'a change in whose place an older one is remembered' => [static function (self $test): void {
            $test->change(['b']);
            foreach ($test->left() as $key) {
                $test->array->replace($key, $key[1] === 'l' ? [1, []] : $test->array->get($key));
            }
        }];
        yield 'more changes than are remembered' => [static function (self $test): void {
            for ($i = 0; $i <= 1024; ++$i) {
                $test->change(['b']);
            }
        }];
        yield 'the counter is lost' => [static fn(self $test) => $test->array->delete("\0c")];
        yield 'the store is flushed' => [static fn(self $test) => $test->array->clear()];
        yield 'the store falls silent' => [static fn(self $test) => $test->silence()];
    }

    /** @param Closure(self): mixed $event */
    #[DataProvider('before')]
    public function testReadsToldTooLateAreNotStored(Closure $event): void
    {
        $made = $this->gates->make(fn(): int => $this->during(fn() => $event($this)) + 0 * $this->tell('a'), [], null);

        self::assertSame([1, null], [$made->value, $made->stamps]);
    }

    public function testReadsToldLateAreStoredWhateverElseChanges(): void
    {
        $made = 0;
        for ($request = 1; $request <= 8; ++$request) {
            $this->cache->remember('k', function () use (&$made): int {
                ++$made;
                $this->change(['b']);
                $this->cache->reads('a');

                return $this->data;
            });
            $this->change(['c']);
        }
        self::assertSame(1, $made);

        $this->change(['a']);
        self::assertFalse($this->cache->has('k'));
    }

    public function testAWriterThatWasAtWorkWhenTheComputeBeganIsSeenByLateReads(): void
    {
        $made = null;
        $this->other()->change(['a'], function (Change $change) use (&$made): void {
            $made = fn(): mixed => $this->gates->make(function () use ($change): int {
                $old = $this->data;
                $change->check();
                $this->data = 2;
                $this->tell('a');

                return $old;
            }, [], null);
            $made = $made();
        });

        self::assertInstanceOf(\Larder\Dependency\ComputedValue::class, $made);
        self::assertSame([1, null], [$made->value, $made->stamps]);
    }

    public function testReadsToldAfterLongTimeAreNotStored(): void
    {
        $gates = new Gates($this->store, gateSeconds: 0.1, inTransaction: static fn(): bool => false);
        $made = $gates->make(static function () use ($gates): void {
            usleep(41_000);
            $gates->reads('a');
        }, [], null);

        self::assertSame(
            [Unstored::ToldLate, 'a name was told more than 0.04 s after its begin'],
            [$made->why, $made->refusal],
        );
    }

    public function testANameThatWasKnownBeforeIsNotLate(): void
    {
        $made = $this->gates->make(
            fn(): int => $this->during(fn() => $this->change(['b'])) + 0 * $this->tell('a'),
            ['a'],
            null,
        );

        self::assertNotNull($made->stamps);
    }

    public function testReadsOutsideOfAComputeAreNoOnes(): void
    {
        $this->gates->reads('a');
        self::assertSame([], $this->left());
    }

    public function testNamesOfAnInnerValueAreTheOuterOnesToo(): void
    {
        foreach (['made', 'found'] as $inner) {
            $outer = $this->cache->remember("outer $inner", fn(): int => $this->value(['a']), reads: ['b']);
            self::assertSame($this->data, $outer);
            self::assertTrue($this->cache->has("outer $inner"));
        }
        $this->change(['a']);

        self::assertFalse($this->cache->has('outer made'));
        self::assertFalse($this->cache->has('outer found'));
    }

    public function testTheOuterValueKeepsTheVersionThatItBeganWith(): void
    {
        $outer = $this->gates->make(function (): int {
            $old = $this->during(fn() => $this->change(['a']));
            $this->value(['a']);

            return $old;
        }, ['a'], null);

        self::assertNull($outer->stamps);
        self::assertTrue($this->isStored(['a']), 'the inner one is new');
    }

    public function testAnInnerValueThatMayNotBeStoredForbidsTheOuterOne(): void
    {
        $outer = $this->gates->make(
            fn(): int => $this->gates->make(
                fn(): int => $this->during(fn() => $this->change(['a'])),
                ['a'],
                null,
            )->value,
            [],
            null,
        );
        self::assertSame(Unstored::Changed, $outer->why);

        $outer = $this->gates->make(function (): int {
            try {
                $this->gates->make(fn(): int => throw new RuntimeException('failed on ' . $this->data), ['a'], null);
            } catch (RuntimeException) {
            }

            return $this->during(fn() => $this->change(['a']));
        }, [], null);
        self::assertNull($outer->stamps, 'also if it was caught');
    }

    public function testARefusalIsTheOuterOnesAlsoWhenItsReasonIsOver(): void
    {
        $writer = $this->writer('a');
        $outer = $this->gates->make(function () use ($writer): int {
            $old = $this->gates->make(fn(): int => $this->data, ['a'], null)->value;
            $writer->resume();

            return $old;
        }, [], null);

        self::assertSame([1, null], [$outer->value, $outer->stamps]);
    }

    public function testTwoReadersThatMakeAVersionAgree(): void
    {
        $this->gates->make(fn(): int => $this->data, ['b'], null);
        $theirs = null;
        $this->store->once('add', function () use (&$theirs): void {
            $theirs = $this->other()->make(fn(): int => $this->data, ['a'], null)->stamps;
        });

        $ours = $this->stamps(['a']);

        self::assertSame($ours, $theirs);
    }

    public function testAValueThatIsNotKeptCostsNothing(): void
    {
        $this->store->calls = [];
        self::assertNull($this->gates->make(fn(): int => $this->data, ['a'], 0.0)->stamps);
        self::assertSame([], $this->store->calls);

        $outer = $this->gates->make(
            fn(): int => $this->gates->make(fn(): int => $this->data, ['a'], 0.0)->value,
            [],
            null,
        );
        self::assertArrayHasKey("\0va", $outer->stamps ?? [], 'but is part of one that is kept');
    }

    public function testWhatTheWriterThrowsComesThroughAndNothingIsClosedAfterwards(): void
    {
        $this->value(['a']);
        try {
            $this->gates->change(['a'], static fn(): never => throw new RuntimeException('no'));
        } catch (RuntimeException $exception) {
            self::assertSame('no', $exception->getMessage());
        }
        $this->value(['a']);

        self::assertTrue($this->isStored(['a']));
    }

    public function testAfterTheCheckItMayBeCommittedWhateverIsThrown(): void
    {
        try {
            $this->gates->change(['a'], static function (Change $change): never {
                $change->check();
                throw new RuntimeException('the connection was lost while committing');
            });
        } catch (RuntimeException) {
        }
        $this->value(['a']);
        self::assertFalse($this->isStored(['a']), 'so it stays closed');

        $this->clock->seconds += 60.0;
        $this->value(['a']);
        self::assertTrue($this->isStored(['a']), 'as long as it lives');
    }

    public function testGivesWhatTheWriterGives(): void
    {
        $given = uniqid();
        self::assertSame($given, $this->gates->change(['a'], static fn(): string => $given));
    }

    public function testNamesMayBeToldWithinTheWrite(): void
    {
        $this->value(['a']);
        $this->gates->change([], function (Change $change): void {
            $change->name('a');
            $change->check();
            self::assertFalse($this->gateIsOpen('a'));
            $this->data = 2;
        });
        self::assertSame(2, $this->value(['a']));
        self::assertTrue($this->isStored(['a']));

        $this->gates->change([], static fn(Change $change) => $change->name('a'));
        self::assertFalse($this->isStored(['a']), 'better late than never');
    }

    /** @return iterable<string, array{Closure(self): mixed}> */
    public static function losses(): iterable
    {
        yield 'the gate is evicted' => [static fn(self $test) => $test->array->delete("\0va")];
        yield 'the gate is evicted and a reader makes a new one' => [
            static fn(self $test) => [$test->array->delete("\0va"), $test->valueElsewhere(['a'])],
        ];
        yield 'the store is flushed' => [static fn(self $test) => $test->array->clear()];
        yield 'the store falls silent' => [static fn(self $test) => $test->silence()];
        yield 'the gates have ended' => [static fn(self $test) => $test->clock->seconds += 60.0];
        yield 'another writer takes it for dead' => [static function (self $test): void {
            $test->forgetWriters();
            $test->other()->change(['a'], static fn(Change $change) => $change->check());
        }];
        yield 'its own mark is lost' => [static fn(self $test) => $test->forgetWriters()];
    }

    /** @param Closure(self): mixed $loss */
    #[DataProvider('losses')]
    public function testAWriterThatLostAGateRollsBack(Closure $loss): void
    {
        $this->expectException(ChangeFailed::class);
        $this->gates->change(['a'], function (Change $change) use ($loss): void {
            $this->value(['a']);
            $loss($this);
            $change->check();
        });
    }

    public function testAWriterThatTakesTooLongRollsBack(): void
    {
        $gates = new Gates($this->store, gateSeconds: 0.1, inTransaction: static fn(): bool => false);

        $this->expectException(ChangeFailed::class);
        $this->expectExceptionMessage('longer than 0.05 s');
        $gates->change(['a'], static function (Change $change): void {
            usleep(51_000);
            $change->check();
        });
    }

    public function testAGateThatIsLostAfterTheLastLookIsHealed(): void
    {
        $this->gates->change(['a'], function (Change $change): void {
            $change->check();
            $this->array->delete("\0va");
            self::assertSame(1, $this->valueElsewhere(['a']), 'a reader is quicker than COMMIT');
            self::assertTrue($this->elsewhere()->has($this->key(['a'])));
            $this->data = 2;
        });

        self::assertSame(2, $this->value(['a']));
    }

    /** A tier may show an old gate for a while, whose version is none for compare-and-swap. */
    public function testAGateThatIsHealedThoughItCannotBeSeen(): void
    {
        $this->gates->change(['a'], function (Change $change): void {
            $change->check();
            $old = $this->array->read("\0va");
            $this->array->delete("\0va");
            $this->valueElsewhere(['a']);
            $this->store->on('read', static fn(): Answer => $old);
            $this->data = 2;
        });

        self::assertSame(2, $this->value(['a']));
    }

    public function testAWriterThatComesBetweenTheLastLookAndTheOpeningIsNotDisturbed(): void
    {
        $this->value(['a']);
        $second = null;
        $this->store->once('increment', function () use (&$second): void {
            $second = $this->writer('a');
        });
        $this->change(['a']);
        self::assertFalse($this->gateIsOpen('a'));
        self::assertInstanceOf(Fiber::class, $second);
        $second->resume();

        self::assertSame(3, $this->value(['a']));
        self::assertTrue($this->isStored(['a']));
    }

    public function testAWriterOfWhomNothingIsKnownIsNotTakenForDead(): void
    {
        $other = $this->writer('a');
        $mark = "\0w" . $this->mark();
        $this->store->on(
            'read',
            static fn(string $key): ?Answer => $key === $mark ? new Answer(answered: false) : null,
        );
        $this->change(['a']);
        $other->resume();

        self::assertSame(3, $this->data);
    }

    public function testAStoreThatIsFlushedBetweenCommitAndOpening(): void
    {
        $this->value(['a']);
        $this->store->once('increment', function (): void {
            $this->array->clear();
        });
        $this->change(['a']);

        self::assertSame(2, $this->value(['a']));
        self::assertTrue($this->isStored(['a']));
    }

    public function testWithoutTheCounterGatesStayClosed(): void
    {
        $this->value(['a']);
        $this->store->on('increment', static fn(): Outcome => Outcome::Unknown);
        $this->change(['a']);

        self::assertFalse($this->gateIsOpen('a'));
        self::assertSame(2, $this->value(['a']));
    }

    /** @return iterable<string, array{string, Closure(string): mixed, string}> */
    public static function refusals(): iterable
    {
        $silence = 'the store of the versions does not answer, or is full';
        yield 'full' => ['add', static fn(): Outcome => Outcome::Refused, $silence];
        yield 'silent' => ['read', static fn(): Answer => new Answer(answered: false), $silence];
        yield 'no mark' => ['set', static fn(): Outcome => Outcome::Refused, $silence];
        yield 'no answer' => ['add', static fn(): Outcome => Outcome::Unknown, $silence];
        $others = 'other writers changed the same names each time';
        yield 'always another' => ['add', static fn(): Outcome => Outcome::Exists, $others];
    }

    /** @param Closure(string): mixed $refusal */
    #[DataProvider('refusals')]
    public function testWhatCannotBeMadeKnownIsNotWritten(string $method, Closure $refusal, string $reason): void
    {
        $this->store->on($method, $refusal);

        $this->expectException(ChangeFailed::class);
        $this->expectExceptionMessage($reason);
        $this->gates->change(['a'], static fn(): never => throw new LogicException('It wrote.'));
    }

    public function testTheOtherWritersInAGateAreLookedAtOnceHoweverOftenItMoves(): void
    {
        $others = array_map(fn(): Fiber => $this->writer('a'), range(1, 5));
        $moves = $looks = 0;
        $this->store->on('cas', function (string $key) use (&$moves): ?Outcome {
            if ($moves < 10) {
                ++$moves;
                $gate = $this->array->read($key);
                $this->array->cas($key, $gate->value, $gate->version, 60.0);
            }

            return null;
        });
        $this->store->on('read', static function (string $key) use (&$looks): null {
            $looks += $key[1] === 'w' ? 1 : 0;

            return null;
        });
        $this->gates->change(['a'], function () use (&$looks): void {
            self::assertSame(5, $looks);
        });

        self::assertSame(10, $moves);
        array_map(static fn(Fiber $other): mixed => $other->resume(), $others);
        self::assertTrue($this->gateIsOpen('a'));
    }

    public function testACallWithoutAnAnswerIsLookedAt(): void
    {
        $this->stamps(['a']);
        $this->store->once('cas', function (): Outcome {
            $answer = $this->array->read("\0va");
            $this->array->cas("\0va", [$this->mark()], $answer->version, 60.0);

            return Outcome::Unknown;
        });
        $this->change(['a']);

        $this->clock->seconds += 60.0;
        self::assertSame(["\0c"], $this->left());
    }

    public function testWhereNothingIsKeptEverythingMayBeWritten(): void
    {
        $gates = new Gates(new NullStore());

        $gates->change(['a'], function (Change $change): void {
            $change->check();
            ++$this->data;
        });
        self::assertSame(2, $this->data);
        self::assertNull($gates->make(static fn(): int => 1, ['a'], null)->stamps);
    }

    public function testADeadWritersGateEndsByItself(): void
    {
        $this->dies();
        $this->value(['a']);
        self::assertFalse($this->isStored(['a']));
        $this->clock->seconds += 60.0;
        $this->value(['a']);

        self::assertTrue($this->isStored(['a']));
    }

    public function testWritersThatFollowADeadOneDoNotKeepItsGateClosed(): void
    {
        $this->dies();
        $this->clock->seconds += 40.0;
        $this->change(['a']);
        self::assertFalse($this->gateIsOpen('a'));
        $this->clock->seconds += 21.0;
        $this->change(['a']);

        $this->clock->seconds += 60.0;
        self::assertSame(["\0c"], $this->left());
    }

    public function testChangesAreNotNested(): void
    {
        $this->gates->change(['a'], function (): void {
            $this->expectException(NoTransaction::class);
            $this->change(['b']);
        });
    }

    public function testWithinItsOwnChangeNothingIsServedOrStored(): void
    {
        $this->value(['b']);
        $this->gates->change(['a'], function (): void {
            self::assertFalse($this->isStored(['b']));
            self::assertSame(Unstored::Changing, $this->gates->make(static fn(): int => 1, ['c'], null)->why);
        });
        self::assertTrue($this->isStored(['b']));
    }

    public function testAGateLivesForSomeTime(): void
    {
        $this->expectException(ValueError::class);
        new Gates($this->store, gateSeconds: 0.0);
    }

    /**
     * Whatever the store is asked, a writer that dies right then leaves nothing old behind, be a value there or just
     * being made.
     */
    public function testAWriterMayDieAtAnyStep(): void
    {
        $committed = $steps = 0;
        for ($ended = false; !$ended; ++$steps) {
            foreach ([false, true] as $meanwhile) {
                $this->setUp();
                $this->data = 1;
                $write = function () use ($steps): bool {
                    $left = $steps;
                    $mortal = new HookedStore($this->array);
                    foreach (['get', 'getMultiple', 'read', 'set', 'add', 'cas', 'delete', 'increment'] as $method) {
                        $mortal->on($method, static function () use (&$left): void {
                            if ($left-- <= 0) {
                                throw new RuntimeException('dead');
                            }
                        });
                    }
                    try {
                        (new Gates($mortal))->change(['a', 'b'], function (Change $change): void {
                            $change->check();
                            $this->data = 2;
                        });
                    } catch (RuntimeException) {
                        return false;
                    }

                    return true;
                };
                $meanwhile ? $this->cache->remember($this->key(['b']), function () use ($write, &$ended): int {
                    $old = $this->data;
                    $ended = $write();

                    return $old;
                }, reads: ['b']) : $this->value(['b']);
                $ended = $meanwhile ? $ended : $write();
                $committed += $this->data - 1;
                foreach ([0.0, 30.0, 31.0] as $later) {
                    $this->clock->seconds += $later;
                    self::assertSame($this->data, $this->value(['b']), "It died after $steps steps, $later s ago.");
                    self::assertSame($this->data, $this->told('b'), "It died after $steps steps, $later s ago.");
                }
            }
        }

        self::assertSame(14, $steps);
        self::assertGreaterThan(8, $committed, 'some died after COMMIT');
        self::assertLessThan($steps * 2, $committed, 'and some before');
    }

    private function elsewhere(): Cache
    {
        return new Cache($this->array, $this->other());
    }

    /** @param list<string> $names */
    private function valueElsewhere(array $names): int
    {
        return $this->elsewhere()->remember($this->key($names), fn(): int => $this->data, reads: $names);
    }

    /**
     * Another process that changes a name, begun and waiting before COMMIT; resumed, it ends.
     *
     * @return Fiber<mixed, mixed, mixed, mixed>
     */
    private function writer(string $name, ?Store $store = null): Fiber
    {
        $fiber = new Fiber(fn() => (new Gates(
            $store ?? $this->array,
        ))->change([$name], function (Change $change): void {
            Fiber::suspend();
            $change->check();
            ++$this->data;
        }));
        $fiber->start();

        return $fiber;
    }

    private function other(): Gates
    {
        return new Gates($this->array, inTransaction: static fn(): bool => false);
    }

    /** @param list<string> $names */
    private function change(array $names): void
    {
        $this->gates->change($names, function (Change $change): void {
            $change->check();
            ++$this->data;
        });
    }

    /** @param Closure(): mixed $event after the data was read */
    private function during(Closure $event): int
    {
        $old = $this->data;
        $event();

        return $old;
    }

    private function tell(string $name): int
    {
        $this->gates->reads($name);

        return 0;
    }

    private function told(string $name = 'a'): int
    {
        return $this->cache->remember("told $name", function () use ($name): int {
            $old = $this->data;
            $this->cache->reads($name);

            return $old;
        });
    }

    private function isTold(): bool
    {
        return $this->cache->has('told a');
    }

    /** @param list<string> $names */
    private function value(array $names): int
    {
        return $this->cache->remember($this->key($names), fn(): int => $this->data, reads: $names);
    }

    /** @param list<string> $names */
    private function isStored(array $names): bool
    {
        return $this->cache->has($this->key($names));
    }

    /** @param list<string> $names */
    private function key(array $names): string
    {
        return 'of ' . implode(', ', $names);
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, int>
     */
    private function stamps(array $names): array
    {
        return $this->gates->make(fn(): int => $this->data, $names, null)->stamps
            ?? throw new LogicException('They may be stored.');
    }

    private function gateIsOpen(string $name): bool
    {
        return !\is_array($this->array->get("\0v$name"));
    }

    private function silence(): void
    {
        foreach ([
            'read' => new Answer(answered: false),
            'getMultiple' => [],
            'add' => Outcome::Unknown,
            'cas' => Outcome::Unknown,
            'increment' => Outcome::Unknown,
        ] as $method => $silence) {
            $this->store->on($method, static fn(): mixed => $silence);
        }
    }

    private function dies(): void
    {
        try {
            $dead = new HookedStore($this->array);
            (new Gates($dead))->change(['a'], static function () use ($dead): void {
                foreach (['read', 'cas'] as $method) {
                    $dead->on($method, static fn(): never => throw new RuntimeException('dead'));
                }
                throw new RuntimeException('killed');
            });
        } catch (RuntimeException) {
        }
        self::assertFalse($this->gateIsOpen('a'));
    }

    private function forgetWriters(): void
    {
        $this->array->delete("\0w" . $this->mark());
    }

    private function mark(): int
    {
        $marks = array_filter($this->left(), static fn(string $key): bool => $key[1] === 'w');

        return (int) substr(implode('', $marks), 2);
    }

    /** @return list<string> keys of Larder's own, of what has not ended */
    private function left(): array
    {
        $entries = (new ReflectionProperty($this->array, 'entries'))->getValue($this->array);
        \assert(\is_object($entries));
        $all = (new ReflectionProperty($entries, 'entries'))->getValue($entries);
        \assert(\is_array($all));
        $keys = array_filter(
            array_map(strval(...), array_keys($all)),
            fn(string $key): bool => $key[0] === "\0" && $this->array->has($key),
        );
        sort($keys);

        return $keys;
    }
}
