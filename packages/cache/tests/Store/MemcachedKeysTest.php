<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Answer;
use Larder\Outcome;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedReplies;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ValueError;

#[CoversClass(MemcachedKeys::class)]
#[CoversClass(MemcachedReplies::class)]
final class MemcachedKeysTest extends TestCase
{
    public function testAKeyHoldsNamespaceAndGeneration(): void
    {
        $keys = new MemcachedKeys('site');

        self::assertSame('site!', $keys->generation);
        self::assertSame('site:0123456789a.news:4', $keys->item('0123456789a', 'news:4'));
        self::assertSame("site:0123456789a.\0", $keys->item('0123456789a', "\0"));
    }

    public function testNoTwoKeysMeet(): void
    {
        $words = ['0123456789a', '0123456789b'];
        $bytes = ['k', ' ', "\0", "\xff", '#', '.', '!'];
        $seen = [];
        foreach (['a', 'a.0123456789a', str_repeat('n', 63)] as $namespace) {
            $keys = new MemcachedKeys($namespace);
            $seen[] = $keys->generation;
            foreach ($words as $word) {
                foreach ([1, 2, 43, 44, 119, 120, 122, 123, 124, 136, 184, 185, 200, 250, 1023, 1024] as $length) {
                    foreach ($bytes as $byte) {
                        $seen[] = $keys->item($word, str_repeat($byte, $length));
                    }
                    // A key that looks like the hashed name of another.
                    $seen[] = $keys->item($word, substr($keys->item($word, str_repeat('k', 1024)), -43) . $length);
                }
            }
        }

        self::assertSameSize($seen, array_unique($seen));
    }

    public function testAKeyFitsBesideAPrefixOfFiftyBytes(): void
    {
        foreach (['n', str_repeat('n', 63)] as $namespace) {
            $keys = new MemcachedKeys($namespace);
            for ($length = 1; $length <= 1024; ++$length) {
                self::assertLessThanOrEqual(200, \strlen($keys->item('0123456789a', str_repeat('k', $length))));
                $item = $keys->item('0123456789a', str_repeat("\n", $length));
                self::assertTrue(\strlen($item) <= 136 || preg_match('/^[!-~]+$/D', $item) === 1);
            }
            self::assertSame(200, \strlen($keys->longest()));
        }
    }

    /** @return iterable<string, array{string}> */
    public static function noNamespaces(): iterable
    {
        foreach (['', str_repeat('n', 64), 'a!', 'a:b', 'a b', "a\n", "\0", 'ä'] as $namespace) {
            yield json_encode($namespace, JSON_THROW_ON_ERROR) => [$namespace];
        }
    }

    #[DataProvider('noNamespaces')]
    public function testANamespaceIsAWord(string $namespace): void
    {
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage('1 to 63 letters');
        new MemcachedKeys($namespace);
    }

    public function testGenerationsAreWordsAndNeverTheSame(): void
    {
        $words = array_map(MemcachedKeys::newGeneration(...), range(1, 1000));

        self::assertSameSize($words, array_unique($words));
        foreach ($words as $word) {
            self::assertSame($word, MemcachedKeys::generationIn($word));
        }
        foreach ([
            null,
            false,
            7,
            '',
            'short',
            "0123456789\n",
            '0123456789ab',
            '0123456789+',
            ['0123456789a'],
        ] as $value) {
            self::assertNull(MemcachedKeys::generationIn($value));
        }
    }

    public function testANumberOfOneItemIsNoneOfAnother(): void
    {
        foreach ([1, 2, 57, PHP_INT_MAX - 1, PHP_INT_MAX] as $number) {
            $mixed = MemcachedKeys::mixed('a', $number);
            self::assertGreaterThan(0, $mixed);
            self::assertSame($number, MemcachedKeys::mixed('a', $mixed));
            self::assertNotSame($mixed, MemcachedKeys::mixed('b', $number));
            self::assertNotSame($number, MemcachedKeys::mixed('b', $mixed));
        }
    }

    public function testAMadeUpNumberNeverMeansAnyVersion(): void
    {
        // What a server would take for "any version" is 0.
        $nothing = MemcachedKeys::mixed('a', 1) ^ 1;

        self::assertSame(PHP_INT_MAX, MemcachedKeys::mixed('a', $nothing));
        foreach ([-1, PHP_INT_MIN, MemcachedKeys::mixed('a', 57) | PHP_INT_MIN] as $number) {
            self::assertSame(PHP_INT_MAX, MemcachedKeys::mixed('a', $number));
        }
    }

    /** @return iterable<string, array{bool, mixed, Outcome}> */
    public static function outcomes(): iterable
    {
        foreach (Outcome::cases() as $outcome) {
            yield "sure, {$outcome->name}" => [true, $outcome, $outcome];
        }
        yield 'not sure, done' => [false, Outcome::Done, Outcome::Unknown];
        yield 'not sure, not known' => [false, Outcome::Unknown, Outcome::Unknown];
        yield 'not sure, counted' => [false, 7, Outcome::Unknown];
        foreach ([Outcome::NotFound, Outcome::Exists, Outcome::Refused] as $outcome) {
            yield "not sure, {$outcome->name}" => [false, $outcome, Outcome::Refused];
        }
        yield 'not sent' => [false, null, Outcome::Refused];
    }

    #[DataProvider('outcomes')]
    public function testAWriteUnderAGenerationThatCannotBeReadIsNeverDone(
        bool $isSure,
        mixed $reply,
        Outcome $outcome,
    ): void {
        self::assertSame($outcome, (new MemcachedReplies($isSure, ['a'], [$reply]))->outcome());
    }

    public function testAReadUnderAGenerationThatCannotBeReadKnowsNothing(): void
    {
        $replies = new MemcachedReplies(false, ['a'], [new Answer(true, 'value', 7, lease: 9)]);
        self::assertEquals(new Answer(answered: false), $replies->answer());
        self::assertNull((new MemcachedReplies(false, ['a'], [9]))->lease());
        self::assertFalse((new MemcachedReplies(false, ['a'], [true]))->isTrue());
        self::assertSame(Outcome::Unknown, (new MemcachedReplies(false, ['a'], [9]))->number());
        self::assertSame(9, (new MemcachedReplies(true, ['a'], [9]))->number());
    }
}
