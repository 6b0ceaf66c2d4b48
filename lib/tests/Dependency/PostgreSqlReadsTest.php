<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Dependency\Sql\Grammar;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Sql\PostgreSqlGrammar;
use Larder\Dependency\Sql\Tokens;
use Larder\Dependency\Tracker\Statement;
use Larder\Testbed\Server\PostgreSql;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(PostgreSqlGrammar::class)]
#[CoversClass(Parser::class)]
#[CoversClass(Tokens::class)]
#[CoversClass(Statement::class)]
#[RequiresPhpExtension('pdo_pgsql')]
final class PostgreSqlReadsTest extends ServerReadsTestCase
{
    protected static function server(string $directory): array
    {
        $server = new PostgreSql($directory, ['fsync' => 'off']);

        return [$server->endpoint(), $server->stop(...)];
    }

    protected static function text(): string
    {
        return 'TEXT';
    }

    protected static function grammar(): Grammar
    {
        return new PostgreSqlGrammar();
    }

    protected static function schema(): array
    {
        return [
            'CREATE VIEW v AS SELECT * FROM news',
            'CREATE SEQUENCE s',
            'CREATE SCHEMA other',
            'CREATE TABLE other.news (id INTEGER)',
            'CREATE TABLE "News" (id INTEGER)',
            'CREATE FUNCTION stored(a INTEGER) RETURNS INTEGER LANGUAGE SQL AS $$ '
                . 'UPDATE comment SET kind = a RETURNING kind $$',
        ];
    }

    protected static function ownStatements(): array
    {
        return [
            // Rows and sets.
            ['SELECT * FROM "news" N WHERE 4 = n.ID AND "n"."points" > 2', 'news:4'],
            ["SELECT * FROM news WHERE title = E'it\\'s'", 'news'],
            ["SELECT * FROM news WHERE title = '\\' AND id = 4 -- '\n", 'news:4'],
            ["SELECT * FROM news WHERE title = E'\\' AND id = 4 -- '\n", 'news'],
            ["SELECT * FROM news WHERE title = E'a'\n '\\' AND id = 4 -- '\n", '!'],
            ["SELECT * FROM news WHERE title = 'n'\n 'et'", 'news'],
            ['SELECT * FROM news WHERE title = $$net$$', 'news'],
            ["SELECT * FROM news WHERE title <> \$a\$ ' \$\$ AND \$a\$ AND id = 4", 'news:4'],
            ["SELECT * FROM news WHERE title = U&'net'", '!'],
            ["SELECT * FROM news WHERE title <> N'net' AND id = 4", 'news:4'],
            ['SELECT * FROM public.news WHERE id = 4', '!'],
            ['SELECT * FROM "News"', '!'],
            ['SELECT * FROM news AS "News" WHERE "News".id = 4', 'news:4'],
            ['SELECT "n".id AS "userId" FROM news n WHERE id = 4', 'news:4'],
            ['SELECT DISTINCT ON (category) id FROM news WHERE category = 5 ORDER BY category, id', 'news?category=5'],
            ['SELECT id FROM news WHERE id = 4 ORDER BY id DESC NULLS LAST LIMIT ALL OFFSET 0 ROWS', 'news:4'],
            ['SELECT id FROM news WHERE id = 4 ORDER BY id OFFSET 0 FETCH FIRST 1 ROW ONLY', 'news:4'],
            ['SELECT id FROM news WHERE id = 4 ORDER BY id FETCH FIRST ROW WITH TIES', 'news:4'],
            ['SELECT id FROM news WHERE id = 4 EXCEPT ALL SELECT id FROM comment WHERE id = 5', 'comment:5 news:4'],
            [
                'SELECT category, count(*) FROM news WHERE category = 5 GROUP BY ROLLUP (category, '
                    . 'points)',
                'news?category=5',
            ],
            ['SELECT category FROM news WHERE category = 5 GROUP BY GROUPING SETS ((category), ())', 'news'],
            // Conditions.
            ['SELECT * FROM news WHERE (id = 4) = false', 'news'],
            ['SELECT * FROM news WHERE id = 4 ISNULL', 'news'],
            ['SELECT * FROM news WHERE points NOTNULL AND id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id IS NOT DISTINCT FROM 4', 'news'],
            ['SELECT * FROM news WHERE category IS NOT DISTINCT FROM NULL AND id = 3', 'news:3'],
            ['SELECT * FROM news WHERE points BETWEEN SYMMETRIC 2 AND 1 AND id = 4', 'news:4'],
            ["SELECT * FROM news WHERE title SIMILAR TO 'n%' ESCAPE '|' AND id = 1", 'news:1'],
            ["SELECT * FROM news WHERE title ILIKE 'N%' AND title NOT LIKE 'x' AND id = 1", 'news:1'],
            ["SELECT * FROM news WHERE title ~ '^n' AND title !~* 'x' AND title ~~ 'n%' AND id = 1", 'news:1'],
            ["SELECT * FROM news WHERE title || 'x' = 'netx' AND id = 1", 'news:1'],
            ['SELECT * FROM news WHERE id = 2 + 2', 'news'],
            ['SELECT * FROM news WHERE id = 4 # 1', 'news'],
            ['SELECT * FROM news WHERE id = 2 ^ 2', 'news'],
            ['SELECT * FROM news WHERE id = @ -4', 'news'],
            ['SELECT * FROM news WHERE id=-4', 'news:-4'],
            ['SELECT * FROM news WHERE id<>-4 AND id=4', 'news:4'],
            ['SELECT * FROM news WHERE -id = -4', 'news'],
            ["SELECT * FROM news WHERE id = '4'::int", 'news'],
            ["SELECT * FROM news WHERE id::text = '4'", 'news'],
            ['SELECT * FROM news WHERE points::numeric(10, 2) > 0 AND id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id = CAST(4 AS bigint)', 'news'],
            ["SELECT * FROM news WHERE title = 'net' COLLATE \"C\"", 'news'],
            ["SELECT * FROM news WHERE title COLLATE \"C\" < 'x' AND id = 4", 'news:4'],
            ['SELECT * FROM news WHERE id = ANY (ARRAY[4, 5])', 'news'],
            ["SELECT * FROM news WHERE id = ANY ('{4,5}'::int[])", 'news'],
            ['SELECT * FROM news WHERE points = (ARRAY[1, 2])[1] AND id = 4', 'news:4'],
            [
                'SELECT ARRAY(SELECT kind FROM comment WHERE news_id = 1 ORDER BY id) FROM news WHERE id '
                    . '= 4',
                'comment?news_id=1 news:4',
            ],
            ['SELECT * FROM news WHERE id = SOME (SELECT news_id FROM comment WHERE id = 1)', 'comment:1 news'],
            ['SELECT * FROM news WHERE CASE points WHEN 1 THEN true ELSE false END AND id = 4', 'news:4'],
            ["SELECT to_jsonb(title) ->> 0, '{\"a\": 1}'::jsonb ?? 'a' FROM news WHERE id = ?", 'news:4', ['4']],
            ["SELECT '{\"a\": 1}'::jsonb ??| ARRAY['a'], '{}'::jsonb @> '{}' FROM news WHERE id = ?", 'news:4', ['4']],
            // Comments.
            ["SELECT * FROM news /* a /* b */ , comment */ WHERE id = 4 -- 1\n AND points = 1", 'news:4'],
            ["SELECT * FROM news WHERE id = 4--1\n", 'news:4'],
            ['SELECT * FROM news WHERE id = 4 /* /* */ OR 1 = 1', '!', [], 'invalid'],
            // Functions.
            [
                "SELECT EXTRACT(YEAR FROM TIMESTAMP '2020-01-01'), TRIM(BOTH 'n' FROM title), "
                    . "SUBSTRING(title FROM 1 FOR 2) FROM news WHERE id = 4",
                'news:4',
            ],
            ["SELECT OVERLAY(title PLACING 'x' FROM 1), POSITION('e' IN title) FROM news WHERE id = 4", 'news:4'],
            ["SELECT STRING_AGG(DISTINCT title, ',' ORDER BY title) FROM news WHERE category = 5", 'news?category=5'],
            ['SELECT count(*) FILTER (WHERE points = 1), max(points) FROM news WHERE category = 5', 'news?category=5'],
            [
                'SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM comment WHERE comment.id = '
                    . 'news.id)) FROM news WHERE category = 5',
                'comment news?category=5',
            ],
            [
                'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY points) FROM news WHERE category = 5',
                'news?category=5',
            ],
            ['SELECT row_number() OVER w FROM news WHERE id = 4 WINDOW w AS (ORDER BY id)', 'news'],
            ["SELECT TIMESTAMP '2020-01-01' AT TIME ZONE 'UTC' > '2019-01-01', id FROM news WHERE id = 4", 'news'],
            ['SELECT concat(title, coalesce(nullif(points, 1), 2)), lower(title) FROM news WHERE id = 4', 'news:4'],
            // Joins.
            ['SELECT 1 FROM comment c RIGHT JOIN news n ON c.news_id = n.id AND n.id = 4', 'comment news'],
            ['SELECT 1 FROM news n FULL JOIN comment c ON c.news_id = n.id WHERE n.id = 4', 'comment news:4'],
            ['SELECT 1 FROM news NATURAL JOIN word WHERE news.id = 4', 'news:4 word'],
            [
                'SELECT 1 FROM news n, LATERAL (SELECT * FROM comment c WHERE c.news_id = n.id AND c.id '
                    . '= 1) x WHERE n.id = 4',
                'comment:1 news:4',
            ],
            // Tables.
            ['SELECT 1 FROM ONLY news WHERE id = 4', 'news:4'],
            ['SELECT 1 FROM news *, comment WHERE news.id = 4', 'comment news'],
            ['SELECT 1 FROM news AS n (category, id) WHERE n.id = 4', 'news'],
            ['SELECT n.id FROM news values, comment n', 'comment news'],
            ['SELECT a select FROM (SELECT 1 AS a) x, news, comment', 'comment news'],
            ['SELECT 1 distinct FROM news', 'news'],
            ['SELECT 1 AS from FROM news', '!'],
            ['SELECT 1 AS join FROM news, comment', '!'],
            ['SELECT 1 FROM news a JOIN (SELECT 1 AS where) b ON a.id = b.where, comment c', 'comment news'],
            ['SELECT * FROM generate_series(1, 2) g, news WHERE news.id = 4', 'news:4'],
            ['SELECT * FROM generate_series(1, 2) WITH ORDINALITY, news WHERE news.id = 4', 'news:4'],
            ["SELECT * FROM news, jsonb_array_elements('[1]') AS e WHERE news.id = 4", 'news:4'],
            ['SELECT * FROM ROWS FROM (generate_series(1, 2)), news', '!'],
            ['SELECT * FROM stored(1)', '!'],
            ['SELECT * FROM pg_class', '!'],
            ['TABLE news', '!'],
            ['SELECT id FROM news UNION TABLE word', '!'],
            ['SELECT count(*) FROM news TABLESAMPLE SYSTEM (50)', '!'],
            ['SELECT * FROM "n' . str_repeat('x', 63) . '"', '!'],
            ['SELECT 1 FROM U&"news"', '!'],
            // Common tables.
            ['WITH n AS MATERIALIZED (SELECT * FROM news WHERE id = 4) SELECT * FROM n WHERE category = 9', 'news:4'],
            ['WITH n (a, b) AS NOT MATERIALIZED (SELECT id, points FROM news WHERE id = 4) SELECT a FROM n', 'news:4'],
            ['WITH d AS (DELETE FROM news RETURNING *) SELECT * FROM d', '!'],
            // More than tables.
            ['SELECT now() FROM news WHERE id = 4', '~news:4'],
            ['SELECT CURRENT_TIMESTAMP(0), current_user FROM news WHERE id = 4', '~news:4'],
            ["SELECT 'now'::timestamp FROM news WHERE id = 4", '~news:4'],
            ["SELECT DATE ' Today ' FROM news WHERE id = 4", '~news:4'],
            ["SELECT 'news'::regclass", '~'],
            ['SELECT ctid, xmin FROM news WHERE id = 4', '~news:4'],
            ['SELECT n."ctid" FROM news n WHERE id = 4', '~news:4'],
            ['SELECT random(), gen_random_uuid(), pg_backend_pid()', '~'],
            ['WITH a AS (SELECT 1) SELECT 1, random() AS materialized FROM a', '~'],
            ["SELECT nextval('s')", '~'],
            ['SELECT pg_sleep(0)', '~'],
            ["SELECT current_setting('TimeZone')", '~'],
            ['SELECT public.stored(1)', '!'],
            ['SELECT "stored"(1)', '!'],
            ["SELECT query_to_xml('SELECT * FROM news', true, true, '')", '!'],
            ["SELECT title::citext FROM news WHERE id = 4", '~news:4'],
            ["SELECT CAST(title AS citext) FROM news WHERE id = 4", '~news:4'],
            ['SELECT * FROM news WHERE id = 4 AND title > ?', '~news:4', ['Now']],
            ["SELECT * FROM news WHERE id = 4 AND title > ? AND title <> 'know-how'", 'news:4', ['know']],
            ['SELECT id FROM news WHERE id = 4 FOR NO KEY UPDATE', '!'],
            ['SELECT id FROM news WHERE id = 4 FOR KEY SHARE', '!'],
            ['SELECT id FROM news WHERE id = 4 FOR SHARE', '!'],
            ['SELECT id INTO x FROM news WHERE id = 4', '!'],
            ['DECLARE c CURSOR WITH HOLD FOR SELECT * FROM news WHERE id = 4', '!'],
            ['FETCH NEXT FROM c', '!'],
            ['MOVE ALL FROM c', '!'],
            ['EXPLAIN ANALYZE DELETE FROM news', '!'],
            ['SHOW search_path', '!'],
            // Parameters.
            ['SELECT * FROM news WHERE id = $1', 'news:4', ['4'], 'unsent'],
            ["SELECT * FROM news WHERE id = ? AND title <> '?'", 'news:4', ['4']],
            ["SELECT * FROM news WHERE id = ? AND title <> \$\$?\$\$", 'news', ['4', '5'], 'unsent'],
            [
                "SELECT * FROM news WHERE id = ? AND title <> '\\' AND points = ? AND title <> 'x'",
                'news', ['4', '5'], 'unsent',
            ],
        ];
    }

    public function testTheSchemaAndTheSettingsAreThoseOfTheConnection(): void
    {
        $rows = self::rows();
        $named = 'SELECT * FROM public.news WHERE id = 4';
        self::assertSame('news:4', $rows->names($named, new PostgreSqlGrammar('public')));
        self::assertSame('!', $rows->names($named, new PostgreSqlGrammar('other')));
        self::assertSame('!', $rows->names('SELECT * FROM "PUBLIC".news', new PostgreSqlGrammar('public')));
        $sql = 'SELECT lower(title) FROM news WHERE id = 4';
        self::assertSame('!', $rows->names($sql, new PostgreSqlGrammar('public', ['lower'])));
        $sql = 'SELECT n.found FROM news n WHERE id = 4';
        self::assertSame('~news:4', $rows->names($sql, new PostgreSqlGrammar('public', ['found'])));
        $sql = "SELECT * FROM news WHERE title = '\\' AND id = 4 -- '\n";
        self::assertSame('!', $rows->names($sql, new PostgreSqlGrammar(isPlain: false)));
        $sql = "SELECT 1 FROM news WHERE title <> '\xe4' AND id = 4";
        self::assertSame('!', $rows->names($sql, new PostgreSqlGrammar(isUtf8: false)));
        self::assertSame('news:4', $rows->names($sql, new PostgreSqlGrammar()));
    }

    public function testAStatementThatMayWriteIsNotPlain(): void
    {
        $grammar = new PostgreSqlGrammar();
        self::assertTrue(Statement::isPlain('SELECT COUNT(*) FROM news WHERE id IN (1, 2)', $grammar));
        foreach (['stored(1)', 'public.lower(1)', '1 INTO x'] as $column) {
            self::assertFalse(Statement::isPlain("SELECT $column", $grammar), $column);
        }
        self::assertTrue(Statement::parse('SELECT stored(1)', $grammar)->writes[0]->calls ?? false);
        self::assertSame([], Statement::parse("SELECT now(), 'x'", $grammar)->writes);
    }

    public function testNoConditionIsFoundThatARowOfTheResultDoesNotFulfil(): void
    {
        $narrowed = self::rows()->conditions(
            new PostgreSqlGrammar(),
            ['', '', '', '', '', '(', '(', 'NOT', '-', '~', '@'],
            [
                'id', 'c', 'd', '0', '1', '2', 'id = 1', 'c = 2', 'd IN (0, 2)', '1 = 1', 'id = 1', 'id=c', 'true',
                'c=-1', 'c*-1',
            ],
            [
                '', '', '', '', '', ')', ')', 'IS NOT NULL', 'IN (0, 1)', 'NOT IN (1)', 'BETWEEN 0 AND 1', 'ISNULL',
                'NOTNULL', 'IS NOT TRUE', '= 1', '= 0', 'IN (2)', '::int', 'IS DISTINCT FROM 1', '::int = 1', '= true',
                'BETWEEN SYMMETRIC 2 AND 0', "-- x\n", '= ANY (ARRAY[1])',
            ],
            [
                '=', '=', 'AND', 'AND', 'AND', 'AND', 'AND', 'OR', '<', '<>', '+', '&', '*', '>>', '%', '#', '|', '^',
                'IS NOT DISTINCT FROM', '!=', '>=',
            ],
            15_000,
        );
        self::assertGreaterThan(300, $narrowed);
    }
}
