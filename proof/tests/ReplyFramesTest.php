<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Client\ReplyFrames;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ReplyFrames::class)]
final class ReplyFramesTest extends TestCase
{
    private const REPLIES = [
        "HD O00000001\r\n",
        "VA 9 f0 c3\r\nHD\r\nEN\r\n7\r\n",
        "VALUE k 0 4 7\r\na\r\nb\r\n",
        "END\r\n",
        "EN\r\n",
    ];

    public function testFindsEachReplyWhateverItsValueLooksLike(): void
    {
        [$bytes, $frames] = (new ReplyFrames())->take(implode('', self::REPLIES));

        self::assertSame(implode('', self::REPLIES), $bytes);
        self::assertSame(
            self::REPLIES,
            array_map(static fn(array $frame): string => substr($bytes, $frame[0], $frame[2] - $frame[0]), $frames),
        );
        self::assertSame("VA 9 f0 c3\r\n", substr($bytes, $frames[1][0], $frames[1][1] - $frames[1][0]));
    }

    public function testFindsTheSameInPiecesOfAnyLength(): void
    {
        $all = implode('', self::REPLIES);
        for ($length = 1; $length < \strlen($all); ++$length) {
            $taker = new ReplyFrames();
            $passed = '';
            $starts = [];
            foreach (str_split($all, $length) as $piece) {
                [$bytes, $frames] = $taker->take($piece);
                foreach ($frames as [$start, $line, $end]) {
                    $starts[] = substr($bytes, $start, $line - $start);
                    self::assertGreaterThanOrEqual($line, $end);
                }
                $passed .= $bytes;
            }
            self::assertSame($all, $passed);
            self::assertSame(
                ["HD O00000001\r\n", "VA 9 f0 c3\r\n", "VALUE k 0 4 7\r\n", "END\r\n", "EN\r\n"],
                $starts,
                "in pieces of $length",
            );
        }
    }
}
