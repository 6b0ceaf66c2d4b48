<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Client\Fault;
use Larder\Proof\Client\ReplyDamage;
use Larder\Proof\Client\ReplyFrames;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ReplyDamage::class)]
#[CoversClass(Fault::class)]
final class ReplyDamageTest extends TestCase
{
    private const FIRST = "VA 12 f0 c3 O0000abcd\r\n0123456789ab\r\n";
    private const SECOND = "HD O0000abce\r\n";
    private const TRIES = 200;

    /** @return iterable<string, array{Fault, list<string>}> */
    public static function rearranged(): iterable
    {
        yield 'repeat' => [
            Fault::Repeat,
            [self::FIRST . self::FIRST . self::SECOND, self::FIRST . self::SECOND . self::SECOND],
        ];
        yield 'drop' => [Fault::Drop, [self::FIRST, self::SECOND]];
        yield 'swap' => [Fault::Swap, [self::SECOND . self::FIRST]];
    }

    /** @param list<string> $possible */
    #[DataProvider('rearranged')]
    public function testRearranges(Fault $fault, array $possible): void
    {
        $seen = self::spoil($fault);

        sort($possible);
        self::assertSame($possible, $seen);
        self::assertTrue($fault->spoils());
    }

    public function testChangesOneDigitOfALength(): void
    {
        foreach (self::spoil(Fault::Length) as $spoilt) {
            self::assertMatchesRegularExpression(
                '/^VA (?!12 )(?:1\d|\d2) f0 c3 O0000abcd\r\n0123456789ab\r\nHD O0000abce\r\n$/D',
                $spoilt,
            );
        }
    }

    public function testChangesOneDigitOfAnOpaque(): void
    {
        foreach (self::spoil(Fault::Opaque) as $spoilt) {
            self::assertMatchesRegularExpression(
                '/^VA 12 f0 c3 O[0-9a-f]{8}\r\n0123456789ab\r\nHD O[0-9a-f]{8}\r\n$/D',
                $spoilt,
            );
            self::assertSame(1, levenshtein($spoilt, self::FIRST . self::SECOND));
        }
    }

    public function testAFailureNeverBecomesASuccessAndNoSuccessACertainFailure(): void
    {
        foreach (self::spoil(Fault::Status, "NS O00000001\r\n") as $spoilt) {
            self::assertDoesNotMatchRegularExpression('/^(HD|VA|MN|OK)/', $spoilt);
        }
        foreach (self::spoil(Fault::Status, "HD O00000001\r\n") as $spoilt) {
            self::assertDoesNotMatchRegularExpression('/^(HD|NS|EX|NF)/', $spoilt);
        }
    }

    public function testAnErrorThatNobodyCouldTellFromAnAnswerTakesNoPlaceOfOne(): void
    {
        $damage = new ReplyDamage();
        $damage->remember("CLIENT_ERROR bad\r\n", [[0, 18, 18]]);
        self::assertNull($damage->spoil(Fault::Stale, self::SECOND, [[0, 14, 14]]));

        $damage->remember(self::FIRST, [[0, 23, \strlen(self::FIRST)]]);
        self::assertSame(self::FIRST, $damage->spoil(Fault::Stale, self::SECOND, [[0, 14, 14]]));
    }

    public function testWhatIsNotThereCannotBeSpoilt(): void
    {
        $damage = new ReplyDamage();

        self::assertNull($damage->spoil(Fault::Swap, self::SECOND, [[0, 14, 14]]));
        self::assertNull($damage->spoil(Fault::Length, self::SECOND, [[0, 14, 14]]));
        self::assertNull($damage->spoil(Fault::Drop, 'the middle of a value', []));
        self::assertNull($damage->spoil(Fault::Drop, "VA 100 f0\r\nbegun", [[0, 11, 113]]));
        self::assertNull($damage->spoil(Fault::Cut, self::SECOND, [[0, 14, 14]]));
        self::assertFalse(Fault::Cut->spoils());
    }

    /** @return list<string> all that came of many tries */
    private static function spoil(Fault $fault, string $bytes = self::FIRST . self::SECOND): array
    {
        [, $replies] = (new ReplyFrames())->take($bytes);
        $damage = new ReplyDamage();
        $seen = [];
        for ($i = 0; $i < self::TRIES; ++$i) {
            $spoilt = $damage->spoil($fault, $bytes, $replies);
            if ($spoilt !== null) {
                $seen[$spoilt] = true;
            }
        }
        self::assertNotSame([], $seen);
        $seen = array_map(strval(...), array_keys($seen));
        sort($seen);

        return $seen;
    }
}
