<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Net;

use Larder\Store\Net\MetaReplies;
use Larder\Store\Net\MetaReply;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(MetaReplies::class)]
#[CoversClass(MetaReply::class)]
final class MetaRepliesTest extends TestCase
{
    private const GOOD = "VA 7 c12 t-1\r\nab\r\ncd\n\r\nEN\r\nHD\r\nSERVER_ERROR object too large for cache\r\n"
        . "VA 0\r\n\r\nMN\r\n";

    public function testRepliesComeInPiecesOfAnySize(): void
    {
        foreach (range(1, \strlen(self::GOOD)) as $size) {
            $replies = new MetaReplies(1 << 20);
            $pieces = str_split(self::GOOD, $size);
            $last = array_pop($pieces);
            foreach ($pieces as $piece) {
                self::assertTrue($replies->take($piece));
            }
            self::assertFalse($replies->take($last));
            self::assertNull($replies->fault());
            self::assertSame(
                ['VA', 'EN', 'HD', 'SERVER_ERROR', 'VA'],
                array_map(static fn(MetaReply $reply): string => $reply->code, $replies->all()),
            );
            self::assertSame("ab\r\ncd\n", $replies->all()[0]->value);
            self::assertSame('12', $replies->all()[0]->flag('c'));
        }
    }

    public function testAnErrorMayBeAFault(): void
    {
        $replies = new MetaReplies(1 << 20, true);
        self::assertFalse($replies->take("HD\r\nCLIENT_ERROR unauthenticated\r\nHD\r\n"));
        self::assertSame('CLIENT_ERROR unauthenticated', $replies->fault());
    }

    #[DataProvider('faults')]
    public function testWhatIsNoReplyIsAFault(string $bytes, string $fault): void
    {
        $replies = new MetaReplies(1 << 20);
        self::assertFalse($replies->take($bytes));
        self::assertStringContainsString($fault, (string) $replies->fault());
    }

    /** @return iterable<string, array{string, string}> */
    public static function faults(): iterable
    {
        yield 'negative length' => ["VA -1\r\n\r\n", 'length of "-1"'];
        yield 'huge length' => ["VA 9999999\r\n", 'length of "9999999"'];
        yield 'no length' => ["VA\r\n", 'length of ""'];
        yield 'longer value' => ["VA 1\r\nabc\r\n", 'longer'];
        yield 'other protocol' => ["VALUE a 0 1\r\n", 'begins with "VALUE"'];
        yield 'HTTP' => ["HTTP/1.1 400 Bad Request\r\n", 'begins with "HTTP/1.1"'];
        yield 'no line' => [str_repeat('x', 3000), 'no line'];
        yield 'more than asked' => ["MN\r\nHD\r\n", 'more than it was asked'];
    }

    /** Random damage gives a fault, or waits for more, or gives replies: never an error, and never much memory. */
    public function testDamagedBytes(): void
    {
        mt_srand(7);
        $ends = [];
        for ($round = 0; $round < 20_000; ++$round) {
            $bytes = self::GOOD;
            for ($change = mt_rand(1, 3); $change > 0; --$change) {
                $at = mt_rand(0, \strlen($bytes) - 1);
                $bytes = match (mt_rand(0, 2)) {
                    0 => substr_replace($bytes, \chr(mt_rand(0, 255)), $at, 1),
                    1 => substr($bytes, 0, $at) . substr($bytes, $at + mt_rand(1, 9)),
                    default => substr($bytes, 0, $at) . random_bytes(mt_rand(1, 5)) . substr($bytes, $at),
                };
                if ($bytes === '') {
                    $bytes = 'x';
                }
            }
            $replies = new MetaReplies(1 << 20);
            $more = $replies->take($bytes);
            $ends[$replies->fault() !== null ? 'fault' : ($more ? 'more' : 'replies')] = true;
            foreach ($replies->all() as $reply) {
                self::assertLessThanOrEqual(\strlen($bytes), \strlen($reply->value));
            }
        }
        self::assertCount(3, $ends);
    }
}
