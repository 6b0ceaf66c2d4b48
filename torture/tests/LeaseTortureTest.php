<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Lease\Board;
use Larder\Torture\Lease\Diary;
use Larder\Torture\Lease\Fate;
use Larder\Torture\Lease\FlawedStore;
use Larder\Torture\Lease\Keys;
use Larder\Torture\Lease\Kind;
use Larder\Torture\Lease\LeaseCommand;
use Larder\Torture\Lease\LeaseTorture;
use Larder\Torture\Lease\Stage;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** `script/torture lease` in small. */
#[CoversClass(LeaseTorture::class)]
#[CoversClass(LeaseCommand::class)]
#[CoversClass(FlawedStore::class)]
#[CoversClass(Board::class)]
#[CoversClass(Diary::class)]
#[CoversClass(Keys::class)]
#[CoversClass(Fate::class)]
final class LeaseTortureTest extends TestCase
{
    public function testEveryComputeHasACause(): void
    {
        $result = self::torture();

        self::assertSame([], $result['findings'] ?? null);
        self::assertSame(Keys::EACH, $result['memory_cold_starts'] ?? null);
        self::assertGreaterThan(Keys::EACH, $result['memory_computes'] ?? null);
    }

    #[TestWith(['lease'])]
    #[TestWith(['fence'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard): void
    {
        self::assertNotSame([], self::torture('--without=' . $guard)['findings'] ?? null);
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        $process = self::process('--stores=none');

        self::assertSame(2, $process->run());
        self::assertStringContainsString('Usage: torture lease', $process->getErrorOutput());
    }

    #[RequiresPhpExtension('shmop')]
    public function testNoNumberOfTheBoardLiesOnAnother(): void
    {
        $board = Board::make(3, 2);
        $number = 0;
        for ($key = 0; $key < 3; ++$key) {
            $board->begin($key, ++$number);
            $board->store($key, ++$number);
            $board->delete($key, ++$number);
            $board->holdUp($key, ++$number);
        }
        $board->enter(Stage::Calm);
        $board->read(0, 2_000_000_000);
        $board->read(1, 3_000_000_000);
        $board->read(1, 1_000_000_000);
        $number = 0;
        for ($key = 0; $key < 3; ++$key) {
            self::assertSame([++$number, ++$number, ++$number, ++$number], [$board->begun($key), $board->stored($key), $board->deleted($key), $board->heldUp($key)]);
        }
        self::assertSame([Stage::Calm, 3, 3.0], [$board->stage(), $board->reads(), $board->longestWait()]);
    }

    public function testTheDiaryTellsWhatIsNew(): void
    {
        $directory = new TemporaryDirectory();
        $diary = new Diary($directory->path . '/diary');
        $other = new Diary($directory->path . '/diary');

        self::assertSame([], $diary->news());
        $first = $other->note(Kind::Begun, 1, 2, 3, 'expire', 0.5, 4);
        file_put_contents($directory->path . '/diary', 'half a li', FILE_APPEND);
        self::assertEquals([$first], $diary->news());
        self::assertSame([], $diary->news());
        self::assertEquals([$first], $diary->all());
        $directory->remove();
    }

    public function testAValueOfAnotherKeyIsNone(): void
    {
        $value = Keys::value(3, 7, Fate::Evict);

        self::assertSame(7, Keys::generation($value, 3));
        self::assertNull(Keys::generation($value, 4));
        self::assertNull(Keys::generation(['generation' => 8] + $value, 3));
        self::assertNull(Keys::generation('generation', 3));
    }

    public function testEveryFateComes(): void
    {
        mt_srand(1);
        $chosen = [];
        for ($i = 0; $i < 2000; ++$i) {
            $chosen[Fate::choose()->value] = true;
        }
        mt_srand();

        self::assertCount(\count(Fate::cases()) - 1, $chosen);
        self::assertArrayNotHasKey(Fate::Keep->value, $chosen);
    }

    /** @return array<array-key, mixed> */
    private static function torture(string ...$arguments): array
    {
        try {
            Extension::at(null);
        } catch (RuntimeException $exception) {
            self::markTestSkipped('needs the extension: ' . $exception->getMessage());
        }
        $process = self::process('--seconds=3', '--processes=24', '--stores=memory', '--seed=1', '--format=json', ...array_values($arguments));
        $process->run();
        $result = json_decode($process->getOutput(), true);

        return \is_array($result) ? $result : self::fail($process->getErrorOutput() . $process->getOutput());
    }

    private static function process(string ...$arguments): Process
    {
        return (new Process([PHP_BINARY, \Larder\Torture\TortureCommand::script(), 'lease', ...array_values($arguments)]))->setTimeout(120.0);
    }
}
