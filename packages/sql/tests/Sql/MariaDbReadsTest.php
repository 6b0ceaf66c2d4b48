<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\MariaDbGrammar;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\Tokens;
use Larder\Sql\Tracker\Statement;
use Larder\Testbed\Server\MariaDb;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(MariaDbGrammar::class)]
#[CoversClass(Parser::class)]
#[CoversClass(Tokens::class)]
#[CoversClass(Statement::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbReadsTest extends ServerReadsTestCase
{
    protected static function server(string $directory): array
    {
        $server = new MariaDb($directory);

        return [$server->endpoint(), $server->stop(...)];
    }

    protected static function text(): string
    {
        return 'VARCHAR(40) COLLATE utf8mb4_bin';
    }

    protected static function grammar(): Grammar
    {
        return MariaDbGrammar::of('', null);
    }

    protected static function schema(): array
    {
        return [
            'CREATE VIEW v AS SELECT * FROM news',
            'CREATE SEQUENCE s',
            'CREATE DATABASE other',
            'CREATE TABLE other.news (id INTEGER)',
            'CREATE FUNCTION stored(a INTEGER) RETURNS INTEGER MODIFIES SQL DATA BEGIN '
                . 'UPDATE comment SET kind = a; RETURN a; END',
            'CREATE FUNCTION `upper`(a TEXT) RETURNS INTEGER READS SQL DATA RETURN (SELECT MAX(kind) FROM comment)',
            'CREATE FUNCTION `count`(a INTEGER) RETURNS INTEGER READS SQL DATA RETURN (SELECT MAX(kind) FROM comment)',
        ];
    }

    protected static function ownStatements(): array
    {
        return [
            // Rows and sets.
            ['SELECT * FROM `news` n WHERE 4 = n.ID AND `n`.`points` > 2', 'news:4'],
            ['SELECT * FROM news WHERE title = "it\'s"', "news?title=it%27s"],
            ["SELECT * FROM news WHERE title = 'it\\'s'", 'news'],
            ['SELECT * FROM news WHERE category = 5 && points = 1', 'news?category=5&points=1'],
            ['SELECT * FROM bench.news WHERE id = 4', '!'],
            ['SELECT SQL_CALC_FOUND_ROWS * FROM news WHERE id = 4 LIMIT 0, 10', 'news:4'],
            ['SELECT SQL_NO_CACHE STRAIGHT_JOIN DISTINCT id FROM news WHERE id = 4 LIMIT 1 OFFSET 0', 'news:4'],
            ['SELECT news.*, 1 one FROM news WHERE news.id = 4 GROUP BY id DESC WITH ROLLUP', 'news:4'],
            ["SELECT id 'a', title \"b\" FROM news WHERE id = 4 HAVING a > 0", 'news:4'],
            ['(SELECT id FROM news WHERE id = 4)', 'news:4'],
            ['SELECT id FROM news WHERE id = 4 UNION DISTINCT SELECT id FROM comment WHERE id = 5', 'comment:5 news:4'],
            ['SELECT id FROM news WHERE id = 4 INTERSECT ALL SELECT id FROM news WHERE id = 4', 'news:4'],
            ['SELECT 1 FROM DUAL', ''],
            ['SELECT id FROM news WHERE id = 4 ORDER BY id OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY', 'news:4'],
            ['SELECT id FROM news WHERE id = 4 ORDER BY id FETCH NEXT ROW WITH TIES', 'news:4'],
            // Conditions.
            ['SELECT * FROM news WHERE id = 1 AND category = 5 XOR 1 = 1', 'news'],
            ['SELECT * FROM news WHERE id = 1 XOR category = 5 AND points = 1', 'news'],
            ['SELECT * FROM news WHERE id = 4 = 0', 'news'],
            ['SELECT * FROM news WHERE id = 4 IN (0)', 'news'],
            ['SELECT * FROM news WHERE id = 4 IS NOT NULL', 'news'],
            ['SELECT * FROM news WHERE id = 4 || id = 5', 'news'],
            ['SELECT * FROM news WHERE id = 4 AND points = 1 || category = 5', 'news'],
            ['SELECT * FROM news WHERE id = 4 && points = 1 || category = 5', 'news'],
            ['SELECT * FROM news WHERE id <=> 4', 'news'],
            ['SELECT * FROM news WHERE category <=> NULL AND id = 3', 'news:3'],
            ['SELECT * FROM news WHERE ! id = 4', 'news'],
            ['SELECT * FROM news WHERE ! (id = 4) AND category = 5', 'news?category=5'],
            ['SELECT * FROM news WHERE - id = 4 OR ~id = 4', 'news'],
            ['SELECT * FROM news WHERE id = 8 DIV 2', 'news'],
            ['SELECT * FROM news WHERE 8 DIV 2 = id AND category = 5', 'news?category=5'],
            ['SELECT * FROM news WHERE id MOD 2 = 0 AND id % 2 = 0 AND category = 6', 'news?category=6'],
            ['SELECT * FROM news WHERE id = 4 ^ 1', 'news'],
            ['SELECT * FROM news WHERE id = 4 | 1 AND id = 1 << 2', 'news'],
            ['SELECT * FROM news WHERE id = BINARY 4', 'news'],
            ["SELECT * FROM news WHERE BINARY title = 'net'", 'news'],
            ["SELECT * FROM news WHERE title = 'NET' COLLATE utf8mb4_general_ci", 'news'],
            ["SELECT * FROM news WHERE title COLLATE utf8mb4_general_ci = 'NET'", 'news'],
            ["SELECT * FROM news WHERE title = _utf8mb4'net'", 'news'],
            ["SELECT * FROM news WHERE title = N'net'", 'news'],
            ["SELECT * FROM news WHERE title = 'n' 'et'", 'news'],
            ["SELECT * FROM news WHERE title = x'6e6574' OR title = 0x6e6574", 'news'],
            ["SELECT * FROM news WHERE title = 0x6e6574", 'news'],
            ["SELECT * FROM news WHERE title = b'1'", 'news'],
            ['SELECT * FROM news WHERE id = 4e0', 'news'],
            ["SELECT * FROM news WHERE id = '4x'", 'news'],
            ['SELECT * FROM news WHERE title = 0', 'news'],
            ['SELECT * FROM news WHERE id = TRUE', 'news'],
            ['SELECT * FROM news WHERE id = 4--1', 'news'],
            ["SELECT * FROM news WHERE id = 4 -- 1\n AND points = 1", 'news:4'],
            ["SELECT * FROM news WHERE id = 4 # ? AND x\n AND points = 1", 'news:4'],
            ['SELECT * FROM news /* , comment */ WHERE id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id = 4 /*! OR 1 = 1 */', '!'],
            ['SELECT /*! STRAIGHT_JOIN */ 1 FROM news, word w WHERE news.id = 4', 'news:4 word'],
            ['SELECT 1 FROM news /*! STRAIGHT_JOIN */ word WHERE news.id = 4', '!'],
            ['SELECT * FROM news WHERE id = 4 /*M! OR 1 = 1 */', '!'],
            ['SELECT * FROM news WHERE id = 4 /*!999999 OR 1 = 1 */', '!'],
            ["SELECT * FROM news WHERE title = 'a\\' OR 1 = 1 -- ' AND id = 4\n", 'news:4'],
            ["SELECT * FROM news WHERE title = 'a\\\\' AND id = 5", 'news:5'],
            ['SELECT * FROM news WHERE title LIKE "n%" AND id = 4', 'news:4'],
            ["SELECT * FROM news WHERE title NOT LIKE 'n|%' ESCAPE '|' AND id = 4", 'news:4'],
            ["SELECT * FROM news WHERE title RLIKE 'n' AND title NOT REGEXP 'x' AND id = 1", 'news:1'],
            ["SELECT * FROM news WHERE title SOUNDS LIKE 'nett' AND id = 1", 'news:1'],
            ['SELECT * FROM news WHERE points BETWEEN 1 AND id = 4', 'news'],
            ['SELECT * FROM news WHERE CASE points WHEN 1 THEN 2 ELSE 3 END AND id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id = CASE WHEN points = 1 THEN 4 END', 'news'],
            ['SELECT * FROM news WHERE IF(points, 1, 0) AND id = 4', 'news:4'],
            ["SELECT LEFT(title, 1), REPLACE(title, 'n', 'x'), MOD(id, 2) FROM news WHERE id = 4", 'news:4'],
            ["SELECT INTERVAL(id, 1, 2), '2020-01-01' + INTERVAL 1 DAY FROM news WHERE id = 4", 'news:4'],
            ['SELECT * FROM news WHERE id = ANY (SELECT news_id FROM comment WHERE id = 1)', 'comment:1 news'],
            // Functions with words in their parentheses.
            [
                "SELECT EXTRACT(YEAR FROM '2020-01-01'), TRIM(BOTH 'n' FROM title), SUBSTRING(title FROM "
                    . "1 FOR 2) FROM news WHERE id = 4",
                'news:4',
            ],
            [
                "SELECT POSITION('e' IN title), CONVERT(title USING utf8mb4), CAST(id AS CHAR(3)) FROM "
                    . "news WHERE id = 4",
                'news:4',
            ],
            [
                "SELECT GROUP_CONCAT(DISTINCT title ORDER BY id DESC SEPARATOR ', ') FROM news WHERE "
                    . "category = 5",
                'news?category=5',
            ],
            [
                "SELECT GROUP_CONCAT((SELECT author FROM comment c WHERE c.id = 1) ORDER BY news.id) "
                    . "FROM news WHERE category = 5",
                'comment:1 news?category=5',
            ],
            ['SELECT ROW_NUMBER() OVER w FROM news WHERE id = 4 WINDOW w AS (ORDER BY id)', 'news'],
            ['SELECT CONCAT(title, COALESCE(NULLIF(points, 1), 2)) FROM news WHERE id = 4', 'news:4'],
            [
                "SELECT DATE_ADD('2020-01-01', INTERVAL id DAY), TIMESTAMPDIFF(DAY, '2020-01-01', "
                    . "'2021-01-01') FROM news WHERE id = 4",
                'news:4',
            ],
            ['SELECT * FROM news WHERE id = 4 AND 4.XOR-1', '!'],
            ['SELECT * FROM news WHERE id = 4 AND 1e1XOR-1', '!'],
            // Joins.
            ['SELECT 1 FROM comment c RIGHT OUTER JOIN news n ON c.news_id = n.id AND n.id = 4', 'comment news'],
            ['SELECT 1 FROM news n STRAIGHT_JOIN comment c ON c.id = 5 WHERE n.id = 4', 'comment:5 news:4'],
            ['SELECT 1 FROM news n NATURAL JOIN word w WHERE n.id = 4', 'news:4 word'],
            ['SELECT 1 FROM news full JOIN word ON full.id = 4', 'news word'],
            ['SELECT 1 FROM news n LEFT JOIN (comment c, word w) ON n.id = 4', 'comment news word'],
            // Tables.
            [
                'SELECT 1 FROM news n FORCE INDEX FOR ORDER BY (PRIMARY), comment c IGNORE KEY (PRIMARY) '
                    . 'WHERE n.id = 4',
                'comment news:4',
            ],
            ['SELECT 1 FROM news USE INDEX (PRIMARY) WHERE id = 4', 'news:4'],
            [
                'SELECT * FROM (SELECT * FROM news WHERE id = 4) n, comment c WHERE n.id = c.news_id AND '
                    . 'n.id = 4',
                'comment news:4',
            ],
            ['SELECT * FROM information_schema.tables', '!'],
            ["SELECT * FROM news, JSON_TABLE('[1]', '$[*]' COLUMNS (a INTEGER PATH '$')) j", '!'],
            // The names of common tables.
            ['WITH n AS (SELECT * FROM news WHERE id = 4) SELECT * FROM n WHERE category = 9', 'news:4'],
            ['WITH n (a, b) AS (SELECT id, points FROM news WHERE id = 4) SELECT a FROM n', 'news:4'],
            // Aliases in MariaDB differ in case.
            ['SELECT 1 FROM news n WHERE EXISTS (SELECT 1 FROM comment N WHERE n.id = 4)', 'comment news'],
            // More than tables.
            ['SELECT NOW() FROM news WHERE id = 4', '~news:4'],
            ['SELECT CURRENT_TIMESTAMP FROM news WHERE id = 4', '~news:4'],
            ['SELECT * FROM news WHERE id = 4 AND points < UNIX_TIMESTAMP()', '~news:4'],
            ['SELECT @a FROM news WHERE id = 4', '~news'],
            ['SELECT @@sql_mode', '~'],
            ['SELECT @a := id FROM news WHERE id = 4', '~news'],
            ['SELECT RAND(), UUID(), CONNECTION_ID(), LAST_INSERT_ID()', '~'],
            ['SELECT FOUND_ROWS()', '~'],
            ['SELECT ROW_COUNT()', '~'],
            ['SELECT SLEEP(0)', '~'],
            ["SELECT GET_LOCK('a', 0)", '~'],
            ['SELECT NEXTVAL(s)', '~', [], 'sequence'],
            ['SELECT DATABASE(), USER(), CURRENT_USER', '~'],
            ['SELECT * FROM news WHERE MATCH (title) AGAINST (\'net\')', '~news'],
            ['SELECT any(1)', '!'],
            ['SELECT bench.stored(1)', '!'],
            ['SELECT `stored`(1)', '!'],
            ['SELECT UPPER (title) FROM news WHERE id = 4', 'news:4'],
            // With a blank it is the stored function.
            ['SELECT count (1) FROM news WHERE id = 4', '!'],
            ['SELECT bench.count(1) FROM news WHERE id = 4', '!'],
            ['SELECT NEXT VALUE FOR s', '!'],
            ['SELECT id FROM news WHERE id = 4 LOCK IN SHARE MODE', '!'],
            ['SELECT id FROM news WHERE id = 4 INTO @a', '!'],
            ['SELECT id FROM news PROCEDURE ANALYSE()', '!'],
            ['SELECT id FROM news LIMIT 5 ROWS EXAMINED 1', '~news'],
            ['SELECT * FROM news FOR SYSTEM_TIME AS OF NOW()', '!', [], 'invalid'],
            ['SET STATEMENT system_versioning_asof = NOW() FOR SELECT * FROM news WHERE id = 4', '!'],
            ['HANDLER news READ FIRST', '!'],
            ['HANDLER news OPEN', '!'],
            ['FETCH NEXT FROM c INTO a', '!'],
            ['EXPLAIN SELECT 1', '!'],
            ['ANALYZE SELECT 1', '!'],
            ['SHOW TABLES', '!'],
            ['DO 1', '!'],
            // Parameters that PDO sees elsewhere.
            ["SELECT * FROM news WHERE id = ? AND title <> '?' AND `points` = 1", 'news:4', ['4']],
            // PDO 8.4 knows MariaDB's comments, and finds one parameter here.
            ...(PHP_VERSION_ID < 80400 ? [["SELECT * FROM news WHERE id = ? # ?\n", 'news', ['4', '5']]] : []),
            ['SELECT * FROM news WHERE id = :a AND id = :A', 'news', [':a' => '4', ':A' => '4']],
        ];
    }

    /** @return iterable<string, array{string, string, string}> sql_mode, text, names */
    public static function modes(): iterable
    {
        yield 'a backslash that escapes' => ['', "SELECT * FROM news WHERE title = '\\' AND id = 4 -- '\n", 'news'];
        yield 'one that does not' => [
            'NO_BACKSLASH_ESCAPES',
            "SELECT * FROM news WHERE title = '\\' AND id = 4 -- '\n",
            'news:4',
        ];
        yield 'a string in double quotes' => ['', 'SELECT * FROM news WHERE "id" = 4', 'news'];
        yield 'a name in double quotes' => ['ANSI_QUOTES', 'SELECT * FROM "news" WHERE "id" = 4', 'news:4'];
        yield 'PIPES_AS_CONCAT' => ['PIPES_AS_CONCAT', "SELECT 1 FROM news WHERE id = 4 AND points || 1", 'news'];
        yield 'HIGH_NOT_PRECEDENCE' => [
            'HIGH_NOT_PRECEDENCE',
            'SELECT 1 FROM news WHERE NOT points = 0 AND id = 4',
            'news:4',
        ];
        yield 'IGNORE_SPACE' => ['IGNORE_SPACE', 'SELECT COUNT (*) FROM news WHERE id = 4', 'news:4'];
        yield 'a function that is no name' => [
            'ANSI_QUOTES,IGNORE_SPACE',
            "SELECT MAX\n\t(\"count\") FROM (SELECT id AS \"count\" FROM news WHERE id = 4) t",
            'news:4',
        ];
        yield 'a name that is no function' => [
            'IGNORE_SPACE',
            'SELECT count FROM (SELECT id count FROM news WHERE id = 4) t',
            'news:4',
        ];
        yield 'a comment is no blank' => ['IGNORE_SPACE', 'SELECT COUNT /**/ (1) FROM news', '!'];
        yield 'nor is one to the line\'s end' => ['IGNORE_SPACE', "SELECT COUNT -- x\n (1) FROM news", '!'];
        yield 'a comment elsewhere' => ['IGNORE_SPACE', "SELECT /* x */ id FROM news -- x\n WHERE id = 4", 'news:4'];
        yield 'EMPTY_STRING_IS_NULL' => ['EMPTY_STRING_IS_NULL', "SELECT 1 FROM news WHERE title <=> ''", '!'];
        yield 'ORACLE' => ['ORACLE', 'SELECT 1 FROM news WHERE id = 4', '!'];
    }

    #[DataProvider('modes')]
    public function testTheModeOfTheSessionDecidesWhatATextSays(string $mode, string $sql, string $names): void
    {
        $rows = self::rows();
        $database = self::database();
        self::assertSame($names, $rows->names($sql, MariaDbGrammar::of($mode, null)));
        if ($names !== '!') {
            $database->exec("SET sql_mode = '$mode'");
            self::assertGreaterThan(-1, $rows->disturb($sql, explode(' ', $names)));
            $database->exec("SET sql_mode = ''");
        }
    }

    public function testTheDatabaseAndTheCharsetAreThoseOfTheConnection(): void
    {
        $rows = self::rows();
        $named = 'SELECT * FROM bench.news WHERE id = 4';
        self::assertSame('news:4', $rows->names($named, MariaDbGrammar::of('', 'bench')));
        self::assertSame('!', $rows->names('SELECT * FROM BENCH.news', MariaDbGrammar::of('', 'bench')));
        self::assertSame('!', $rows->names($named, MariaDbGrammar::of('', 'other')));
        // In GBK the two bytes are one letter, and the string goes on.
        $sql = "SELECT * FROM news WHERE title = '\xbf\\' AND id = 4 -- '\n";
        self::assertSame('!', $rows->names($sql, MariaDbGrammar::of('', null, 'gbk')));
        self::assertSame('news:4', $rows->names('SELECT * FROM news WHERE id=4', MariaDbGrammar::of('', null, 'gbk')));
    }

    public function testAStatementThatMayWriteIsNotPlain(): void
    {
        $grammar = new MariaDbGrammar();
        self::assertTrue(Statement::isPlain('SELECT COUNT(*) FROM news WHERE id IN (1, 2)', $grammar));
        foreach ([
            'stored(1)', 'bench.count(1)', 'count (1)', "stored -- \n(1)", 'NEXT VALUE FOR s', '1 INTO x',
        ] as $column) {
            self::assertFalse(Statement::isPlain("SELECT $column", $grammar), $column);
        }
        self::assertTrue(Statement::parse('SELECT stored(1)', $grammar)->writes[0]->calls ?? false);
        self::assertSame([], Statement::parse("SELECT NOW(), 'x'", $grammar)->writes);
    }

    public function testNoConditionIsFoundThatARowOfTheResultDoesNotFulfil(): void
    {
        $database = self::database();
        foreach (['', 'PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE'] as $mode) {
            $database->exec("SET sql_mode = '$mode'");
            $narrowed = self::rows()->conditions(
                MariaDbGrammar::of($mode),
                ['', '', '', '', '(', '(', 'NOT', '-', '~', '!', 'BINARY'],
                ['id', 'c', 'd', '0', '1', '2', 'id = 1', 'c = 2', 'd IN (0, 2)', '1 = 1', 'id = 1', 'c=-1'],
                [
                    '', '', '', '', '', ')', ')', 'IS NOT NULL', 'IN (0, 1)', 'NOT IN (1)', 'BETWEEN 0 AND 1',
                    'IS TRUE', 'IS NOT FALSE', '= 1', '= 0', 'IN (2)', 'COLLATE binary', 'IS UNKNOWN', 'DIV 1',
                    '-- x' . "\n", '--1', '# x' . "\n",
                ],
                [
                    '=', '=', '=', 'AND', 'AND', 'AND', 'AND', 'AND', '&&', 'OR', '||', 'XOR', '<', '<>', '+', '&',
                    '<=>',                    '*', '>>', 'LIKE', 'DIV', 'MOD', '^', 'RLIKE', 'BETWEEN 0 AND', '!=', '|',
                ],
                6000,
            );
            self::assertGreaterThan(200, $narrowed);
        }
        $database->exec("SET sql_mode = ''");
    }
}
