<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Memory\Board;
use Larder\Torture\Memory\House;
use Larder\Torture\Memory\Keys;
use Larder\Torture\Memory\Seat;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

#[CoversClass(Board::class)]
#[CoversClass(Keys::class)]
#[RequiresPhpExtension('shmop')]
final class MemoryBoardTest extends TestCase
{
    private Board $board;

    protected function setUp(): void
    {
        $this->board = Board::make(10, 3);
    }

    protected function tearDown(): void
    {
        $this->board->remove();
    }

    public function testNoNumberLiesOnAnother(): void
    {
        $number = 0;
        for ($key = 0; $key < 10 + Board::COMMON + Board::SUMS; ++$key) {
            $this->board->acknowledge($key, ++$number);
        }
        for ($key = 0; $key < 10; ++$key) {
            $this->board->begin($key, ++$number);
        }
        for ($seat = 0; $seat < 3; ++$seat) {
            $this->board->progressed($seat, ++$number);
            foreach (Seat::cases() as $what) {
                $this->board->noteSeat($seat, $what, ++$number);
            }
        }
        for ($house = 0; $house < 3; ++$house) {
            foreach (House::cases() as $what) {
                $this->board->noteHouse($house, $what, ++$number);
            }
        }

        self::assertSame(range(1, 50), $this->board->acknowledgedFrom(0, 50));
        self::assertSame(range(51, 60), $this->board->begunFrom(0, 10));
        self::assertSame([61, 72, 83], $this->board->progress());
        self::assertSame(62 + 73 + 84, $this->board->sum(Seat::Operation));
        self::assertSame(92, $this->board->longest(Seat::Slowest));
        self::assertSame(94, $this->board->house(0, House::Ready));
        self::assertSame($number, $this->board->house(2, House::Left));
    }

    public function testAnotherProcessSeesItUntilItIsRemoved(): void
    {
        $other = Board::open($this->board->id, 10, 3);
        $this->board->begin(3, -5);
        $other->beginFrom(4, [1, 2]);
        $this->board->remove();
        $other->add(1, House::Kills, 2);

        self::assertSame([-5, 1, 2], $other->begunFrom(3, 3));
        self::assertSame([-5, 1, 2], $this->board->begunFrom(3, 3));
        self::assertSame(2, $this->board->total(House::Kills));
        $this->expectExceptionMessage('The shared notes are gone.');
        Board::open($this->board->id, 10, 3);
    }

    public function testNoKeyBelongsToTwoSeats(): void
    {
        $keys = new Keys(400, 4);
        $owners = array_fill(0, 400, []);
        for ($seat = 0; $seat < 4; ++$seat) {
            for ($i = 0; $i < 500; ++$i) {
                $owners[$keys->single($seat)]["single $seat"] = true;
                $owners[$keys->counter($seat)]["counter $seat"] = true;
            }
            for ($key = $keys->bulk($seat); $key < $keys->bulk($seat) + Keys::BULK; ++$key) {
                $owners[$key]["bulk $seat"] = true;
            }
        }

        self::assertSame([1], array_values(array_unique(array_map(\count(...), $owners))));
        foreach ($owners as $key => $owner) {
            self::assertSame($keys->isCounter($key), str_starts_with((string) array_key_first($owner), 'counter'));
            self::assertTrue($keys->isOurs($keys->name($key)));
        }
        self::assertCount(400, array_unique(array_map($keys->name(...), range(0, 399))));
        self::assertFalse($keys->isOurs('specimen:'));
    }
}
