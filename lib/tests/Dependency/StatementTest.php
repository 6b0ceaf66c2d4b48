<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Dependency\Sql\SqliteGrammar;
use Larder\Dependency\Tracker\Statement;
use Larder\Proof\Support\Sql\Choices;
use Larder\Proof\Support\Sql\Pieces;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Statement::class)]
#[CoversClass(SqliteGrammar::class)]
final class StatementTest extends TestCase
{
    /** @return iterable<string, array{string, list<string>}> */
    public static function reads(): iterable
    {
        yield 'plain' => ['SELECT * FROM news WHERE id = ?', ['news']];
        yield 'no table' => ['SELECT 1', []];
        yield 'quoted in three ways' => [
            'SELECT * FROM "news", `comment` JOIN [word] ON 1',
            ['comment', 'news', 'word'],
        ];
        yield 'case' => ['select * from NEWS', ['news']];
        yield 'alias' => ['SELECT n.id FROM news AS n, comment c', ['comment', 'news']];
        yield 'schema' => ['SELECT * FROM main.news', ['news']];
        yield 'subquery in FROM' => [
            'SELECT * FROM (SELECT * FROM news) n JOIN comment USING (id)',
            ['comment', 'news'],
        ];
        yield 'subquery in a column' => [
            'SELECT (SELECT COUNT(*) FROM comment WHERE news_id = n.id), title FROM news n',
            ['comment', 'news'],
        ];
        yield 'subquery in WHERE' => [
            'SELECT 1 FROM news WHERE id IN (SELECT news_id FROM comment)',
            ['comment', 'news'],
        ];
        yield 'IN a table' => ['SELECT 1 WHERE 4 IN news', ['news']];
        yield 'comma after ON' => ['SELECT 1 FROM a JOIN b ON a.x = b.x, c WHERE 1', ['a', 'b', 'c']];
        yield 'parenthesised join' => ['SELECT 1 FROM (news JOIN comment ON 1), word', ['comment', 'news', 'word']];
        yield 'union' => ['SELECT id FROM news UNION SELECT id, 1 FROM comment ORDER BY 1, 2', ['comment', 'news']];
        yield 'common table' => [
            'WITH recent AS (SELECT * FROM news), r2(a, b) AS (SELECT 1, 2) SELECT * FROM recent, r2',
            ['news'],
        ];
        yield 'common table that hides a table' => [
            'WITH news AS (SELECT * FROM comment) SELECT * FROM news',
            ['comment'],
        ];
        yield 'common table that hides nothing behind its schema' => [
            'WITH v AS (SELECT 1) SELECT title FROM main.v, v',
            ['v'],
        ];
        yield 'a word that ends a FROM clause as an alias' => ['SELECT 1 FROM news window, v', ['news', 'v']];
        yield 'a window' => ['SELECT SUM(a) OVER w FROM news WINDOW w AS (PARTITION BY a, b)', ['news']];
        yield 'table function' => ['SELECT 1 FROM news, json_each(?)', ['news']];
        yield 'comments' => ["SELECT 1 /* FROM a */ FROM news -- , b\n, comment", ['comment', 'news']];
        yield 'strings' => ["SELECT 'FROM a', '\\', ''' FROM b' FROM news", ['news']];
        yield 'order and limit' => ['SELECT a, b FROM news GROUP BY a, b ORDER BY a, b LIMIT 1, 2;', ['news']];
        yield 'is distinct from' => ['SELECT 1 FROM news WHERE a IS NOT DISTINCT FROM b', ['news']];
        yield 'replace() is a function' => ["SELECT replace(a, 'x', 'y') FROM news", ['news']];
    }

    /** @param list<string> $tables */
    #[DataProvider('reads')]
    public function testFindsEveryTable(string $sql, array $tables): void
    {
        $statement = Statement::parse($sql, new SqliteGrammar());
        $sources = $statement->sources;
        sort($sources);

        self::assertNull($statement->refusal);
        self::assertSame($tables, $sources);
        self::assertSame([], array_diff($tables, $statement->identifiers));
    }

    /** @return iterable<string, array{string}> */
    public static function refused(): iterable
    {
        foreach ([
            'INSERT INTO news VALUES (1)', 'update news set a = 1', 'DELETE FROM news', 'REPLACE INTO news VALUES (1)',
            'CREATE TABLE x (a)',
            'PRAGMA journal_mode', 'ATTACH ? AS b', 'BEGIN', 'EXPLAIN SELECT 1', 'VACUUM', '',
            'WITH a AS (SELECT 1) INSERT INTO news SELECT * FROM a',
            'SELECT 1; DELETE FROM news',
            'SELECT 1 FROM other.news',
            "SELECT 'open",
            'SELECT "open FROM news',
            'SELECT /* open',
            "SELECT 1 FROM news\0, comment",
            'SELECT 1 FROM',
            'SELECT 1 FROM (news',
            'SELECT 1 FROM ?',
            'SELECT 1 FROM a,',
            'SELECT 1 FROM unknown_function(1)',
            'SELECT * FROM (WITH v AS (SELECT 1) SELECT * FROM v), v',
            'WITH a AS (SELECT 1) SELECT 1 FROM w WINDOW w AS (PARTITION BY 1)',
            'SELECT 1 FROM news FOR UPDATE',
            'SELECT a INTO b FROM news',
            'SELECT 1)',
        ] as $sql) {
            yield $sql => [$sql];
        }
    }

    #[DataProvider('refused')]
    public function testRefusesWhatWritesOrCannotBeRead(string $sql): void
    {
        self::assertNotNull(Statement::parse($sql, new SqliteGrammar())->refusal);
    }

    public function testOneLookTellsPlainReadsFromAllThatMayChangeSomething(): void
    {
        self::assertTrue(
            Statement::isPlain("SELECT a, n.b FROM news n\n WHERE id = :id ORDER BY a LIMIT 3", new SqliteGrammar()),
        );
        foreach ([
            'DELETE FROM news', 'BEGIN', 'SELECT 1; DELETE FROM news', 'SELECT a INTO b FROM news',
            'select 1 from news for update', 'WITH a AS (SELECT 1) INSERT INTO news SELECT * FROM a',
            "SELECT 1 FROM news\0, comment", 'SELECT "open FROM news',
        ] as $sql) {
            self::assertFalse(Statement::isPlain($sql, new SqliteGrammar()), $sql);
        }
    }

    /** @return iterable<string, array{string, bool}> */
    public static function clocks(): iterable
    {
        yield 'current_timestamp' => ['SELECT CURRENT_TIMESTAMP', true];
        yield 'now' => ["SELECT strftime('%s', 'now')", true];
        yield 'date()' => ['SELECT date()', true];
        yield 'strftime() of no time' => ["SELECT strftime('%H:%M')", true];
        yield 'a time that is put together' => ["SELECT date('n' || 'ow')", true];
        yield 'a time in double quotes' => ['SELECT date("now")', true];
        yield 'a time that is bound' => ['SELECT datetime(?)', true];
        yield 'a time out of an expression' => ["SELECT date(coalesce(created, 'NOW')) FROM news", true];
        yield 'a time with a modifier' => ["SELECT strftime('%s', n.created, '-1 day') FROM news n", false];
        yield 'random' => ['SELECT random() FROM news', true];
        yield 'a quoted function' => ['SELECT "random"() FROM news', true];
        yield 'a column that is called as a word of WITH'
            => ['WITH a AS (SELECT 1) SELECT 1, random() AS materialized FROM a', true];
        yield 'a quoted column' => ['SELECT "current_date" FROM news', false];
        yield 'a date of a column' => ['SELECT date(created) FROM news', false];
        yield 'a column of that name' => ['SELECT date, random FROM news', false];
    }

    #[DataProvider('clocks')]
    public function testSeesTheClockAndChance(string $sql, bool $volatile): void
    {
        self::assertSame($volatile, Statement::parse($sql, new SqliteGrammar())->volatile);
    }

    public function testHostileTextEndsInARefusalOrAReadNeverInAnError(): void
    {
        $random = new Pieces(new Choices(20101));
        $pieces = [
            'SELECT', ' ', 'FROM', 'news', '"', "'", '`', '[', ']', '(', ')', ',', ';', '--', '/*', '*/', "\n", '?',
            ':a', '.', '1e', "\xff", "\0", 'WITH', 'AS', 'IN', 'JOIN', '||', '#',
        ];
        for ($round = 0; $round < 3000; ++$round) {
            $sql = 'SELECT ' . $random->text($pieces, 12);
            $statement = Statement::parse($sql, new SqliteGrammar());
            self::assertTrue(
                $statement->refusal !== null || array_diff($statement->sources, $statement->identifiers) === [],
                $sql,
            );
        }
    }
}
