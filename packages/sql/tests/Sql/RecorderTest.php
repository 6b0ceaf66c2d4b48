<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\MariaDbGrammar;
use Larder\Sql\Reading\PostgreSqlGrammar;
use Larder\Sql\Reading\SqliteGrammar;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\Recorder;
use Larder\Sql\Tracker\Statement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Recorder::class)]
#[CoversClass(Lexer::class)]
final class RecorderTest extends TestCase
{
    /** A # is where a literal stands. */
    private const TEXTS = [
        'SELECT * FROM news WHERE id = #',
        'SELECT * FROM news WHERE id = -# AND points = - #',
        'SELECT * FROM news WHERE id = #.# OR id = #e#',
        'SELECT * FROM news WHERE id IN (#, #, -#) AND category = # LIMIT # OFFSET #',
        'SELECT # AS a, # b, category # FROM news n WHERE # = n.category ORDER BY #',
        'SELECT date(#), strftime(#, #), CAST(# AS date) FROM news WHERE category = # AND id = ?',
        'SELECT * FROM news WHERE category = # # AND author = ?',
        'SELECT * FROM news WHERE category = # /* # */ AND id = :id -- #',
        'SELECT * FROM news n JOIN comment c ON c.news_id = n.id AND c.author = # WHERE n.id = # AND c.kind IN (#)',
        'SELECT * FROM news WHERE id = # UNION SELECT * FROM news WHERE author = (SELECT # FROM comment WHERE id = #)',
        'SELECT * FROM news WHERE category = N# AND id = X#',
        'SELECT * FROM # WHERE id = a#',
        'SELECT * FROM news WHERE id = #; SELECT #',
        'select#from news where id=#and category=#',
        'SELECT * FROM news WHERE id = # FOR UPDATE',
    ];

    private const LITERALS = [
        '0', '7', '42', '007', '123456789012345678', '1234567890123456789', '0x1f', '1.5', '2e3', "''", "'net'",
        "'Net'",
        "'7'", "'it''s'", "'a\\'", "'a\\'b'", "'?'", "':id'", "'--'", "'/*'", "'*/'", "'now'", "'NOW'", "'yesterday 3'",
        "'é'", "'\xff'", "'\0s'", "'\"'", '"net"', '"it\'s"', '`id`', 'NULL', '?', "'from comment'", "E'a'", "' net '",
    ];

    /** @return iterable<string, array{Grammar}> */
    public static function grammars(): iterable
    {
        yield 'SQLite' => [new SqliteGrammar()];
        yield 'MariaDB' => [new MariaDbGrammar(database: 'site')];
        yield 'MariaDB with ANSI_QUOTES, without backslashes' => [new MariaDbGrammar(false, true, 'site')];
        yield 'PostgreSQL' => [new PostgreSqlGrammar('public')];
        yield 'PostgreSQL with backslashes' => [new PostgreSqlGrammar('public', isPlain: false)];
    }

    #[DataProvider('grammars')]
    public function testATextSaysTheSameWhetherItsShapeIsKnownOrNot(Grammar $grammar): void
    {
        $recorder = new Recorder($grammar);
        $registry = new Registry(
            new Table('news', 'id', [
                'id' => ColumnType::Integer, 'points' => ColumnType::Integer, 'category' => ColumnType::Text,
                'author' => ColumnType::TextNoCase,
            ], [['category'], ['author'], ['category', 'points']]),
            new Table('comment', 'id', [
                'id' => ColumnType::Integer, 'news_id' => ColumnType::Integer, 'kind' => ColumnType::Text,
                'author' => ColumnType::TextNoCase,
            ], [['news_id'], ['kind']]),
        );
        $shapes = [];
        foreach (self::texts() as $text) {
            $shapes[] = Lexer::shape($text, $grammar)[0] ?? '';
            self::assertSame(
                self::described(Statement::parse($text, $grammar), $registry),
                self::described($recorder->parsed($text), $registry),
                $text,
            );
        }
        self::assertLessThan(\count($shapes), \count(array_unique($shapes)), 'Some shapes were known.');
    }

    /** @return iterable<string> each text with each literal in each place, and with others in all of them */
    private static function texts(): iterable
    {
        // Those that a shape leaves out.
        $usual = static fn(int $place): string => ['7', "'net'", '8', "'web'"][$place % 4];
        foreach (self::TEXTS as $text) {
            yield self::filled($text, $usual);
            foreach (self::LITERALS as $n => $literal) {
                for ($place = substr_count($text, '#') - 1; $place >= 0; --$place) {
                    yield self::filled($text, static fn(int $at): string => $at === $place ? $literal : $usual($at));
                }
                foreach ([0, 1, 7] as $step) {
                    yield self::filled(
                        $text,
                        static fn(int $at): string => self::LITERALS[($n + $step * $at) % \count(self::LITERALS)],
                    );
                }
            }
        }
    }

    /** @param Closure(int): string $literal of each place */
    private static function filled(string $text, Closure $literal): string
    {
        $place = 0;

        return (string) preg_replace_callback('/#/', static function () use ($literal, &$place): string {
            return $literal($place++);
        }, $text);
    }

    /** @return array<string, mixed> */
    private static function described(Statement $statement, Registry $registry): array
    {
        $wanted = [];
        $sent = static fn(int $position, ?string $name): array => [$name === null ? $position : 'tomorrow'];

        return [
            'refusal' => $statement->refusal,
            'sources' => $statement->sources,
            'identifiers' => $statement->identifiers,
            'volatile' => [$statement->volatile, $statement->asksForTime($sent)],
            'parts' => [$statement->verb, $statement->parts],
            'names' => array_map(
                static fn(Name $name): string => $name->name,
                $statement->reads($registry)?->names($sent, $statement->literals(), [], $wanted) ?? [],
            ),
            'unknown' => $statement->unknown(),
            'wanted' => $wanted,
        ];
    }
}
