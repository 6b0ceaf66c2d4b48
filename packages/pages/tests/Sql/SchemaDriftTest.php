<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Page\Pages;
use Larder\Sql\Exception\InvalidRegistry;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\SqliteDialect;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\SchemaDrift;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(SchemaDrift::class)]
#[CoversClass(SqliteDialect::class)]
final class SchemaDriftTest extends TestCase
{
    /** @return iterable<string, array{string, ColumnType, bool, string, string}> column, type, whether it fits, two
     *     values */
    public static function columns(): iterable
    {
        yield 'text as text' => ['TEXT', ColumnType::Text, true, '01', '1'];
        yield 'bytes as text' => ['', ColumnType::Text, true, '01', '1'];
        yield 'a number as text' => ['INTEGER', ColumnType::Text, false, '01', '1'];
        yield 'a decimal as text' => ['DECIMAL(8, 2)', ColumnType::Text, false, '1.0', '1'];
        yield 'text without case as text' => ['TEXT COLLATE NOCASE', ColumnType::Text, false, 'BOB', 'bob'];
        $type = "TEXT DEFAULT 'collate' COLLATE RTRIM";
        yield 'text without blanks as text' => [$type, ColumnType::Text, false, 'a ', 'a'];
        yield 'text without blanks as text without case' => [
            'TEXT COLLATE rtrim',
            ColumnType::TextNoCase,
            false,
            'a ',
            'a',
        ];
        $type = 'VARCHAR(9) COLLATE "nocase"';
        yield 'text without case as such' => [$type, ColumnType::TextNoCase, true, 'BOB', 'bob'];
        yield 'a number as text without case' => ['INT', ColumnType::TextNoCase, false, '01', '1'];
        yield 'a number' => ['BIGINT', ColumnType::Integer, true, '01', '1'];
        yield 'text as a number' => ['TEXT', ColumnType::Integer, true, '01', '1'];
    }

    /** What fits and what does not is what the database itself says of the two values. */
    #[DataProvider('columns')]
    public function testATypeFitsIfEqualValuesHaveOneName(
        string $declared,
        ColumnType $type,
        bool $fits,
        string $stored,
        string $asked,
    ): void {
        $table = new Table('item', 'id', ['id' => ColumnType::Integer, 'kind' => $type], [['kind']]);
        $database = new RecordingPdo('sqlite::memory:', new Registry($table));
        $database->exec("CREATE TABLE item (id INTEGER PRIMARY KEY, kind $declared, UNIQUE (id, kind COLLATE NOCASE))");
        $database->run('INSERT INTO item (kind) VALUES (?)', [$stored]);
        $found = $database->run('SELECT 1 FROM item WHERE kind = ?', [$asked])->fetchColumn() !== false;
        $isOneName = $type->canonical($stored) === $type->canonical($asked);
        self::assertSame($fits, !$found || $isOneName);

        $drift = (new SchemaDrift($database))->found();
        self::assertSame($fits ? [] : ['item.kind'], array_keys($drift));
    }

    public function testNoReleaseIsDeployedOverARegistryThatIsWrong(): void
    {
        $news = new NewsSite();
        try {
            Pages::of($news->site)->deploy('r2');
            $news->database->exec('DROP TABLE news; DROP TABLE comment');
            $news->database->exec('CREATE VIEW comment AS SELECT 1 AS id, 2 AS news_id');
            $news->database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category INT, title TEXT)');
            Pages::of($news->site)->deploy('r3');
            self::fail('It was deployed.');
        } catch (InvalidRegistry $exception) {
            foreach ([
                'comment is a view',
                'news.category is declared as "text" and is INT',
                'use ColumnType::Integer',
                'news.author is not there',
            ] as $what) {
                self::assertStringContainsString($what, $exception->getMessage());
            }
            self::assertSame('r2', Pages::of($news->site)->release()?->id);
        } finally {
            $news->remove();
        }
    }
}
