<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use Larder\Cache;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use ReflectionClass;

/**
 * What the tests of both standards share. Each has a table of all sentences of its standard that say MUST, MUST NOT or
 * REQUIRED, of its text and of the interfaces' comments: the section, the sentence in words of our own, and the test
 * that proves it.
 *
 * @phpstan-type Row array{string, string, string}
 */
abstract class Conformance extends TestCase
{
    protected const SECOND = 1.0;

    private static ?ChosenStores $stores = null;

    protected Store $store;

    protected Cache $cache;

    /** @return non-empty-list<Row> */
    abstract public static function table(): array;

    /** @return list<class-string> whose comments say MUST */
    abstract public static function interfaces(): array;

    public static function tearDownAfterClass(): void
    {
        self::$stores?->stop();
        self::$stores = null;
    }

    /** @return iterable<string, array{mixed}> */
    public static function values(): iterable
    {
        return Values::exact();
    }

    /** @return iterable<string, array{object}> */
    public static function objects(): iterable
    {
        return Values::objects();
    }

    /** @return iterable<string, array{string}> */
    public static function badKeys(): iterable
    {
        yield 'empty' => [''];
        foreach (str_split('{}()/\@:') as $reserved) {
            yield $reserved . ' alone' => [$reserved];
            yield $reserved . ' within' => ["news{$reserved}4"];
        }
    }

    /** @return iterable<string, array{string}> */
    public static function goodKeys(): iterable
    {
        yield 'one character' => ['a'];
        yield 'all that must be possible' => ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.'];
        yield '64 characters' => [str_repeat('k', 64)];
        yield 'the same, one different' => [str_repeat('k', 63) . 'l'];
        yield 'digits' => ['7'];
        yield 'a zero in front' => ['007'];
        yield 'only dots' => ['..'];
        yield 'UTF-8' => ['schlüssel.鍵.🔑'];
        yield 'another case' => ['SCHLÜSSEL'];
        yield 'spaces and line ends' => ["a b\r\nc\t"];
        yield 'all other bytes' => [
            implode('', array_map(chr(...), array_diff(range(0, 255), array_map(ord(...), str_split('{}()/\@:'))))),
        ];
        yield '300 bytes' => [str_repeat('n', 300)];
        yield '10,000 bytes' => [str_repeat('n', 10_000)];
    }

    /** @return iterable<string, array{string, string, string}> */
    public static function rows(): iterable
    {
        foreach (static::table() as $row) {
            yield $row[0] . ': ' . $row[1] => $row;
        }
    }

    #[DataProvider('rows')]
    #[Group('table')]
    public function testEachSentenceHasItsTest(string $section, string $sentence, string $test): void
    {
        self::assertTrue(method_exists($this, $test), $test);
        self::assertTrue((new ReflectionClass($this))->getMethod($test)->isPublic());
        self::assertStringStartsWith('test', $test);
    }

    #[Group('table')]
    public function testTheTableNamesEachSentenceOfTheInterfaces(): void
    {
        $counted = array_count_values(array_column(static::table(), 0));
        foreach (static::interfaces() as $interface) {
            $class = new ReflectionClass($interface);
            $comments = [$class->getShortName() => (string) $class->getDocComment()];
            foreach ($class->getMethods() as $method) {
                $comments[$class->getShortName() . '::' . $method->name] = (string) $method->getDocComment();
            }
            foreach ($comments as $section => $comment) {
                $must = preg_match_all('/\b(MUST|REQUIRED|SHALL)\b/', $comment);
                self::assertGreaterThanOrEqual($must, $counted[$section] ?? 0, $section);
            }
        }
    }

    protected function setUp(): void
    {
        self::$stores ??= new ChosenStores();
        $this->store = self::$stores->store();
        $this->cache = new Cache($this->store);
    }

    protected function otherStore(): Store
    {
        self::$stores ??= new ChosenStores();

        return self::$stores->store();
    }

    /** @param float $from Unix time */
    protected static function waitUntil(float $from): void
    {
        while (microtime(true) < $from) {
            usleep(5_000);
        }
    }
}
