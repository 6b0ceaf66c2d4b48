<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Reading\Grammar;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Which names the reads of a server have: no change of another row changes a result. */
abstract class ServerReadsTestCase extends TestCase
{
    private static ?TemporaryDirectory $scratch = null;
    private static ?PDO $database = null;
    private static ?DisturbedRows $rows = null;

    /** @var Closure(): void */
    private static Closure $stop;

    /** @return array{Endpoint, Closure(): void} the server, and how it ends */
    abstract protected static function server(string $directory): array;

    /** The type of a column of texts that compares byte by byte. */
    abstract protected static function text(): string;

    /** @return list<string> what else stands in the database */
    abstract protected static function schema(): array;

    abstract protected static function grammar(): Grammar;

    /** @return list<array{0: string, 1: string, 2?: array<array-key, int|string|null>, 3?: string}> as statements() */
    abstract protected static function ownStatements(): array;

    public static function setUpBeforeClass(): void
    {
        self::$scratch = new TemporaryDirectory('lbt', sys_get_temp_dir());
        chmod(self::$scratch->path, 0o755);
        [$endpoint, self::$stop] = static::server(self::$scratch->path . '/d');
        self::$database = new PDO(
            $endpoint->extra['dsn'] ?? '',
            $endpoint->extra['user'] ?? null,
            $endpoint->extra['password'] ?? null,
        );
        self::$rows = new DisturbedRows(self::$database, static::text());
        array_map(self::$database->exec(...), static::schema());
    }

    public static function tearDownAfterClass(): void
    {
        (self::$stop)();
        self::$database = self::$rows = self::$scratch = null;
    }

    /**
     * @return iterable<string, array{0: string, 1: string, 2?: array<array-key, int|string|null>, 3?: string}> text,
     *     names, values, and whether it is sent: '' or why not
     */
    public static function statements(): iterable
    {
        foreach ([
            ['SELECT * FROM news WHERE id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id = ?', 'news:4', ['4']],
            ['SELECT * FROM news WHERE id = :a AND points < :b', 'news:4', [':a' => '4', ':b' => '2']],
            ['SELECT * FROM news WHERE id IN (4, ?)', 'news:4 news:5', ['5']],
            ['SELECT COUNT(*) FROM news WHERE category = 5', 'news?category=5'],
            ["SELECT COUNT(*) FROM news WHERE title = 'net'", 'news?title=net'],
            ["SELECT * FROM news WHERE title = 'it''s'", "news?title=it%27s"],
            [
                '(SELECT id FROM news WHERE id = 4) UNION ALL (SELECT id FROM comment WHERE id = 5) '
                    . 'LIMIT 5',
                'comment:5 news:4',
            ],
            ['VALUES (1, 2), (3, 4)', ''],
            ['SELECT * FROM news WHERE id = 4 IS NOT TRUE', 'news'],
            ['SELECT * FROM news WHERE id = 4 OR id = 5', 'news'],
            ['SELECT * FROM news WHERE NOT id = 4', 'news'],
            ['SELECT * FROM news WHERE NOT points = 1 AND id = 4', 'news:4'],
            ['SELECT * FROM news WHERE id = 04', 'news'],
            ['SELECT * FROM news WHERE id = 4.0', 'news'],
            ['SELECT * FROM news WHERE points BETWEEN 1 AND 2 AND id = 4', 'news:4'],
            ['SELECT * FROM news WHERE points NOT BETWEEN 1 AND 2 AND id IN (6, 7)', 'news:6 news:7'],
            ['SELECT * FROM news WHERE (id, points) = (4, 1)', 'news'],
            ['SELECT * FROM news WHERE ROW(id, points) IN (ROW(4, 1)) AND category = 5', 'news?category=5'],
            [
                'SELECT * FROM news WHERE id > ALL (SELECT kind FROM comment WHERE news_id = 1)',
                'comment?news_id=1 news',
            ],
            [
                'SELECT * FROM news WHERE EXISTS (SELECT 1 FROM comment WHERE news_id = 1) AND id = 4',
                'comment?news_id=1 news:4',
            ],
            ["SELECT TRIM((SELECT title FROM news WHERE id = 5) FROM title) FROM news WHERE id = 4", 'news:4 news:5'],
            [
                'SELECT SUM(points) OVER (PARTITION BY category ORDER BY id) FROM news WHERE category = 5',
                'news?category=5',
            ],
            [
                'SELECT COALESCE(((SELECT id FROM news WHERE id = 99) UNION SELECT max(id) FROM news), '
                    . '0) FROM news WHERE id = 4',
                'news',
            ],
            ['SELECT 1 FROM news n JOIN comment c ON c.news_id = n.id WHERE n.id = 4', 'comment?news_id=4 news:4'],
            ['SELECT 1 FROM news n LEFT JOIN comment c ON c.news_id = n.id AND n.id = 4', 'comment?news_id=4 news'],
            ['SELECT 1 FROM news n CROSS JOIN word w WHERE n.id = 4 AND w.id = 1', 'news:4 word:1'],
            ['SELECT 1 FROM news JOIN word USING (id) WHERE id = 4', 'news word'],
            ['SELECT 1 FROM (news JOIN word ON news.id = 4)', 'news word'],
            ['SELECT 1 FROM news a LEFT JOIN comment b JOIN word c ON c.id = 1 ON a.id = 4', 'comment news word'],
            [
                'SELECT a.id FROM news a WHERE EXISTS (SELECT 1 FROM comment a, word b JOIN word c ON '
                    . 'a.id = 5 AND c.id = 1)',
                'comment news word word:1',
            ],
            ['SELECT a.id FROM news a, comment b JOIN word c ON b.id = 5 AND c.id = 1', 'comment:5 news word:1'],
            ['SELECT * FROM (SELECT * FROM news ORDER BY id LIMIT 3) n WHERE category = 5', 'news'],
            ['SELECT * FROM v', '!'],
            ['SELECT * FROM s', '!'],
            ['SELECT * FROM other.news', '!'],
            ['WITH news AS (SELECT * FROM news WHERE id = 4) SELECT * FROM news', '!'],
            ['WITH a AS (SELECT * FROM word), word AS (SELECT 1) SELECT * FROM a', '!'],
            ['WITH word AS (SELECT * FROM news WHERE id = 4) SELECT * FROM word', 'news'],
            [
                'WITH RECURSIVE r AS (SELECT id FROM news WHERE id = 4 UNION SELECT id + 1 FROM r WHERE '
                    . 'id < 6) SELECT * FROM r',
                'news:4',
            ],
            ['WITH RECURSIVE a AS (SELECT * FROM word), word AS (SELECT 1 AS x) SELECT * FROM a', ''],
            ['SELECT * FROM (WITH n AS (SELECT 1) SELECT * FROM n) x', '!'],
            ['SELECT stored(1)', '!'],
            ['SELECT id FROM news WHERE id = 4 FOR UPDATE', '!'],
            ['EXECUTE s', '!'],
            ['SELECT 1; SELECT 2', '!'],
            ...static::ownStatements(),
        ] as $case) {
            yield $case[0] . ' ' . json_encode($case[2] ?? []) => $case;
        }
    }

    /** @param array<array-key, int|string|null> $parameters */
    #[DataProvider('statements')]
    public function testNoChangeOfARowThatIsNotNamedChangesAResult(
        string $sql,
        string $names,
        array $parameters = [],
        string $note = '',
    ): void {
        self::assertSame($names, self::rows()->names($sql, static::grammar(), $parameters));
        if ($note === '' && !str_starts_with($names, '!') && !str_starts_with($names, '~')) {
            self::assertGreaterThan(-1, self::rows()->disturb($sql, explode(' ', $names), $parameters));
        }
    }

    protected static function rows(): DisturbedRows
    {
        return self::$rows ?? throw new LogicException('They were made before the first test.');
    }

    protected static function database(): PDO
    {
        return self::$database ?? throw new LogicException('It was started before the first test.');
    }
}
