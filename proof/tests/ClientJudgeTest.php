<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Outcome;
use Larder\Proof\Client\ClientJudge;
use Larder\Proof\Client\ClientKeys;
use Larder\Proof\Client\ClientTorture;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Value\SealedValue;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ClientJudge::class)]
#[CoversClass(ClientKeys::class)]
final class ClientJudgeTest extends TestCase
{
    private const KEY = 100;
    private const LOG = 8;

    private ClientJudge $judge;
    private string $file;

    protected function setUp(): void
    {
        $this->file = (string) tempnam(sys_get_temp_dir(), 'larder-judge');
        $this->judge = new ClientJudge(
            Board::create(ClientTorture::series(2)),
            new ClientKeys(2),
            1,
            new Findings($this->file),
        );
    }

    protected function tearDown(): void
    {
        unlink($this->file);
    }

    public function testWhatWasAcknowledgedOrBegunSinceMayBeThere(): void
    {
        self::assertSame(1, $this->write(Outcome::Done));
        self::assertSame(2, $this->write(Outcome::Unknown));
        self::assertSame(1, $this->judge->acknowledged(self::KEY));
        $this->judge->value(self::KEY, (new SealedValue(self::KEY, 1))->any(), 1, 'get');
        $this->judge->value(self::KEY, (new SealedValue(self::KEY, 2))->any(), 1, 'get');
        self::assertSame([], $this->findings());

        $this->write(Outcome::Done);
        $this->judge->value(self::KEY, (new SealedValue(self::KEY, 2))->any(), 3, 'get');
        $this->judge->value(self::KEY, (new SealedValue(self::KEY, 4))->any(), 3, 'get');
        $this->judge->value(self::KEY, (new SealedValue(self::KEY + 1, 3))->any(), 3, 'get');
        $this->judge->value(self::KEY, '', 3, 'get');
        self::assertCount(4, $this->findings());
    }

    public function testWhatWasRefusedMayNot(): void
    {
        $this->write(Outcome::Done);
        $refused = $this->write(Outcome::Refused);
        $this->judge->value(self::KEY, (new SealedValue(self::KEY, $refused))->any(), 1, 'get');

        self::assertCount(1, $this->findings());
        self::assertStringContainsString('refused', $this->findings()[0]);
    }

    public function testACounterIsCountedOnceOrNotAtAll(): void
    {
        foreach ([[1, 0], [Outcome::Unknown, 1], [3, 1], [Outcome::Refused, 2], [4, 2]] as [$given, $from]) {
            $this->judge->begin(self::KEY);
            $this->judge->counted(self::KEY, $given, $from, 'count');
        }
        self::assertSame([], $this->findings());
        self::assertSame(3, $this->judge->acknowledged(self::KEY));

        $this->judge->begin(self::KEY);
        $this->judge->counted(self::KEY, 6, 3, 'count');
        self::assertCount(1, $this->findings(), 'counted twice');
        $this->judge->counted(self::KEY, 3, 3, 'count');
        self::assertCount(2, $this->findings(), 'an acknowledged one is lost');
    }

    public function testALogHoldsEachTokenOnceAndInOrder(): void
    {
        $log = '';
        foreach (['set', 'append', 'append'] as $by) {
            $generation = $this->judge->begin(self::LOG);
            $log .= ClientJudge::token(self::LOG, $generation);
            $this->judge->logged(self::LOG, $generation, Outcome::Done, $by);
        }
        $this->judge->log(self::LOG, $log, 3, 'log');
        self::assertSame([], $this->findings());

        foreach ([
            $log . substr($log, -20),
            substr($log, 0, 20) . substr($log, 40),
            substr($log, 20) . substr($log, 0, 20),
            substr($log, 0, -1),
            '',
            7,
        ] as $i => $wrong) {
            $this->judge->log(self::LOG, $wrong, 3, 'log');
            self::assertCount($i + 1, $this->findings());
        }
    }

    public function testOnlyLongKeysHaveLongValues(): void
    {
        foreach ([[self::KEY, false], [3, true]] as [$key, $isLong]) {
            $longest = 0;
            for ($generation = 0; $generation < 40; ++$generation) {
                $value = $this->judge->valueOf($key, $generation);
                self::assertSame($generation, SealedValue::verify($value, $key)->generation);
                $longest = max($longest, \is_string($value) ? \strlen($value) : 0);
            }
            self::assertSame($isLong, $longest > 10_000);
        }
    }

    private function write(Outcome $outcome): int
    {
        $generation = $this->judge->begin(self::KEY);
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
