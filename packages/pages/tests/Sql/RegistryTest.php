<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Exception\UnknownName;
use Larder\Sql\Exception\InvalidRegistry;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Registry::class)]
#[CoversClass(Table::class)]
#[CoversClass(ColumnType::class)]
final class RegistryTest extends TestCase
{
    public function testNamesAreWrittenAsTheDesignSays(): void
    {
        $registry = NewsSite::registry();

        self::assertSame('news:4', (string) $registry->row('news', 4));
        self::assertSame('news?category=net', (string) $registry->set('news', ['category' => 'net']));
        self::assertSame(
            'news?author=bob&category=net',
            (string) $registry->set('news', ['category' => 'net', 'author' => 'Bob']),
        );
        self::assertSame('news?category', (string) $registry->set('news', ['category' => null]));
        self::assertSame('news', (string) $registry->table('news'));
        self::assertSame('news!', (string) $registry->all('news'));
    }

    /** @return iterable<string, array{ColumnType, int|float|string|bool, string|null}> */
    public static function values(): iterable
    {
        yield 'integer' => [ColumnType::Integer, 5, '5'];
        yield 'its text' => [ColumnType::Integer, '5', '5'];
        yield 'leading zero finds integer 5' => [ColumnType::Integer, '05', '5'];
        yield 'sign and blanks' => [ColumnType::Integer, " +5\n", '5'];
        yield 'minus zero' => [ColumnType::Integer, '-0', '0'];
        yield 'integral float' => [ColumnType::Integer, 5.0, '5'];
        yield 'other float' => [ColumnType::Integer, 5.5, null];
        yield 'float beyond exactness' => [ColumnType::Integer, 1e17, null];
        yield 'true' => [ColumnType::Integer, true, '1'];
        yield 'not a number' => [ColumnType::Integer, '5x', null];
        yield 'empty' => [ColumnType::Integer, '', null];
        yield 'decimal text' => [ColumnType::Integer, '5.0', null];
        yield 'too long' => [ColumnType::Integer, '99999999999999999999', null];
        yield 'text keeps case' => [ColumnType::Text, 'Bob', 'Bob'];
        yield 'text of an integer' => [ColumnType::Text, 5, '5'];
        yield 'text of a float is the database\'s business' => [ColumnType::Text, 5.5, null];
        yield 'text of a bool depends on the binding' => [ColumnType::Text, true, null];
        yield 'no case' => [ColumnType::TextNoCase, 'BoB', 'bob'];
        yield 'no case is ASCII only' => [ColumnType::TextNoCase, 'ÄB', 'Äb'];
    }

    #[DataProvider('values')]
    public function testValuesAreCanonicalByTypeAndCollation(
        ColumnType $type,
        int|float|string|bool $value,
        ?string $canonical,
    ): void {
        self::assertSame($canonical, $type->canonical($value));
    }

    public function testAValueWithoutCanonicalTextIsAReadOfTheWholeTable(): void
    {
        self::assertSame('news', (string) NewsSite::registry()->row('news', '4x'));
        self::assertSame('comment', (string) NewsSite::registry()->set('comment', ['news_id' => 4.5]));
    }

    public function testAValueCannotPoseAsAnotherName(): void
    {
        $registry = NewsSite::registry();
        $names = [
            (string) $registry->set('news', ['category' => 'a', 'author' => 'b']),
            (string) $registry->set('news', ['category' => 'a&author=b']),
            (string) $registry->set('news', ['category' => "a\n"]),
            (string) $registry->set('news', ['category' => str_repeat('a', 81)]),
            (string) $registry->set('news', ['category' => str_repeat('a', 82)]),
        ];

        self::assertCount(5, array_unique($names));
        self::assertLessThan(200, max(array_map(strlen(...), $names)));
    }

    /** @return iterable<string, array{string}> */
    public static function written(): iterable
    {
        foreach ([
            'news:4',
            'news',
            'news!',
            'news?category=net',
            'news?author=bob&category=a%20b',
            'news?category',
            'comment?news_id=4',
        ] as $name) {
            yield $name => [$name];
        }
    }

    #[DataProvider('written')]
    public function testParsesWhatItWrites(string $name): void
    {
        self::assertSame($name, (string) NewsSite::registry()->parse($name));
    }

    /** @return iterable<string, array{string, string}> */
    public static function unknown(): iterable
    {
        yield 'table' => ['newz:4', 'no table "newz". Near names: news, comment.'];
        yield 'column set' => [
            'news?categry=net',
            'no column set "news?categry". Near names: news?category, news?author',
        ];
        yield 'part of a set' => [
            'comment?news_id=4&id=5',
            'no column set "comment?id&news_id". Near names: comment?news_id.',
        ];
        yield 'no form at all' => ['news:', '"news:" is not a dependency'];
        yield 'a sentence' => ['drop everything', 'is not a dependency'];
    }

    #[DataProvider('unknown')]
    public function testAnUnknownNameIsAnErrorThatListsNearNames(string $name, string $message): void
    {
        $this->expectException(UnknownName::class);
        $this->expectExceptionMessage($message);

        NewsSite::registry()->parse($name);
    }

    public function testHashIsOfTheDeclarationsNotOfTheirOrder(): void
    {
        $news = static fn(ColumnType $type): Table => new Table(
            'news',
            'id',
            ['id' => ColumnType::Integer, 'c' => $type],
            [['c'], ['c', 'id']],
        );
        $other = new Table('other', 'id', ['id' => ColumnType::Integer]);
        $turned = new Table('news', 'id', ['c' => ColumnType::Text, 'id' => ColumnType::Integer], [['id', 'c'], ['c']]);

        self::assertSame(
            (new Registry($news(ColumnType::Text), $other))->hash(),
            (new Registry($other, $turned))->hash(),
        );
        self::assertNotSame(
            (new Registry($news(ColumnType::Text)))->hash(),
            (new Registry($news(ColumnType::TextNoCase)))->hash(),
        );
    }

    /** @return iterable<string, array{callable(): mixed}> */
    public static function invalid(): iterable
    {
        $id = ['id' => ColumnType::Integer];
        yield 'bad table name' => [static fn() => new Table('a b', 'id', $id)];
        yield 'key without type' => [static fn() => new Table('a', 'key', $id)];
        yield 'set column without type' => [static fn() => new Table('a', 'id', $id, [['b']])];
        yield 'empty set' => [static fn() => new Table('a', 'id', $id, [[]])];
        yield 'set twice' => [static fn() => new Table('a', 'id', $id, [['id'], ['id']])];
        yield 'table twice' => [static fn() => new Registry(new Table('a', 'id', $id), new Table('A', 'id', $id))];
    }

    #[DataProvider('invalid')]
    public function testRefusesADeclarationThatCannotWork(callable $declare): void
    {
        $this->expectException(InvalidRegistry::class);

        $declare();
    }
}
