<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Client\Judge;
use Larder\Torture\Client\Keys;
use Larder\Torture\Client\Notes;
use Larder\Torture\Client\Sealed;
use Larder\Testbed\Process\Findings;
use Larder\Outcome;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Judge::class)]
#[CoversClass(Notes::class)]
#[CoversClass(Keys::class)]
#[CoversClass(Sealed::class)]
final class ClientJudgeTest extends TestCase
{
    private const KEY = 100;
    private const LOG = 8;

    private Notes $notes;
    private Judge $judge;
    private string $file;

    protected function setUp(): void
    {
        $keys = new Keys(2);
        $this->notes = Notes::make($keys->places(), 2, 3);
        $this->file = (string) tempnam(sys_get_temp_dir(), 'larder-judge');
        $this->judge = new Judge($this->notes, $keys, 1, new Findings($this->file));
    }

    protected function tearDown(): void
    {
        $this->notes->remove();
        unlink($this->file);
    }

    public function testWhatWasAcknowledgedOrBegunSinceMayBeThere(): void
    {
        self::assertSame(1, $this->write(Outcome::Done));
        self::assertSame(2, $this->write(Outcome::Unknown));
        self::assertSame(1, $this->notes->acknowledged(self::KEY));
        $this->judge->value(self::KEY, Sealed::make(self::KEY, 1), 1, 'get');
        $this->judge->value(self::KEY, Sealed::make(self::KEY, 2), 1, 'get');
        self::assertSame([], $this->findings());

        $this->write(Outcome::Done);
        $this->judge->value(self::KEY, Sealed::make(self::KEY, 2), 3, 'get');
        $this->judge->value(self::KEY, Sealed::make(self::KEY, 4), 3, 'get');
        $this->judge->value(self::KEY, Sealed::make(self::KEY + 1, 3), 3, 'get');
        $this->judge->value(self::KEY, '', 3, 'get');
        self::assertCount(4, $this->findings());
    }

    public function testWhatWasRefusedMayNot(): void
    {
        $this->write(Outcome::Done);
        $refused = $this->write(Outcome::Refused);
        $this->judge->value(self::KEY, Sealed::make(self::KEY, $refused), 1, 'get');

        self::assertCount(1, $this->findings());
        self::assertStringContainsString('refused', $this->findings()[0]);
    }

    public function testACounterIsCountedOnceOrNotAtAll(): void
    {
        foreach ([[1, 0], [Outcome::Unknown, 1], [3, 1], [Outcome::Refused, 2], [4, 2]] as [$given, $from]) {
            $this->notes->begin(self::KEY);
            $this->judge->counted(self::KEY, $given, $from, 'count');
        }
        self::assertSame([], $this->findings());
        self::assertSame(3, $this->notes->acknowledged(self::KEY));

        $this->notes->begin(self::KEY);
        $this->judge->counted(self::KEY, 6, 3, 'count');
        self::assertCount(1, $this->findings(), 'counted twice');
        $this->judge->counted(self::KEY, 3, 3, 'count');
        self::assertCount(2, $this->findings(), 'an acknowledged one is lost');
    }

    public function testALogHoldsEachTokenOnceAndInOrder(): void
    {
        $log = '';
        foreach (['set', 'append', 'append'] as $by) {
            $generation = $this->notes->begin(self::LOG);
            $log .= Judge::token(self::LOG, $generation);
            $this->judge->logged(self::LOG, $generation, Outcome::Done, $by);
        }
        $this->judge->log(self::LOG, $log, 3, 'log');
        self::assertSame([], $this->findings());

        foreach ([$log . substr($log, -20), substr($log, 0, 20) . substr($log, 40), substr($log, 20) . substr($log, 0, 20), substr($log, 0, -1), '', 7] as $i => $wrong) {
            $this->judge->log(self::LOG, $wrong, 3, 'log');
            self::assertCount($i + 1, $this->findings());
        }
    }

    public function testEveryValueKnowsItsKeyAndGeneration(): void
    {
        for ($generation = 0; $generation < 40; ++$generation) {
            foreach ([false, true] as $big) {
                $value = Sealed::make(self::KEY, $generation, $big);
                $sealed = Sealed::of($value);
                self::assertSame([self::KEY, $generation], [$sealed?->key, $sealed?->generation]);
                if (\is_string($value)) {
                    self::assertNull(Sealed::of($value . "\n"));
                    self::assertNull(Sealed::of(substr($value, 1)));
                    self::assertNull(Sealed::of(substr($value, 0, -1)));
                }
            }
        }
    }

    private function write(Outcome $outcome): int
    {
        $generation = $this->notes->begin(self::KEY);
        $this->judge->outcome(self::KEY, $generation, $outcome, 'set');

        return $generation;
    }

    /**
     * @phpstan-impure
     *
     * @return list<string>
     */
    private function findings(): array
    {
        return (new Findings($this->file))->all();
    }
}
