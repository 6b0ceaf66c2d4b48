<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Statements;

use Larder\Proof\Statements\Classifier;
use Larder\Proof\Statements\Grade;
use Larder\Proof\Statements\LoggedStatement;
use Larder\Proof\Statements\SchemaFacts;
use Larder\Proof\Statements\StatementsPage;
use Larder\Proof\Statements\TableFacts;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(StatementsPage::class)]
#[CoversClass(Classifier::class)]
#[CoversClass(LoggedStatement::class)]
#[CoversClass(SchemaFacts::class)]
final class StatementsPageTest extends TestCase
{
    public function testThePageIsWhatIsWrittenNow(): void
    {
        foreach (StatementsPage::texts() as $file => $text) {
            self::assertStringEqualsFile(
                $file,
                $text,
                'Run tools/statements: it says other names than statements get.',
            );
        }
    }

    /** The page tells a reason wherever something narrower could be thought of. */
    public function testEachStatementThatIsNotNarrowHasAReason(): void
    {
        foreach (StatementsPage::APPLICATIONS as $name => [, $schema]) {
            foreach (StatementsPage::verdicts($name, $schema) as [$statement, $verdict]) {
                $isNarrow = \in_array($verdict->grade, [Grade::Rows, Grade::Sets, Grade::None, Grade::Written], true);
                self::assertSame(!$isNarrow, !$isNarrow && $verdict->why !== [], $statement->sql);
            }
        }
    }

    /**
     * @param list<string>                $names
     * @param array<string, list<string>> $why
     */
    #[TestWith(['SELECT title FROM news WHERE id = 4', Grade::Rows, ['news:4'], []])]
    #[TestWith(['SELECT id FROM news WHERE author = 5', Grade::Sets, ['news?author=5'], []])]
    #[TestWith(
        [
            "SELECT id FROM news WHERE author = 5 AND day = 'x'",
            Grade::Sets,
            ['news?author=5'],
            ['type date' => ['news.day']],
        ],
    )]
    #[TestWith(["SELECT id FROM news WHERE day = 'x'", Grade::Whole, ['news'], ['type date' => ['news.day']]])]
    #[TestWith(["SELECT id FROM news WHERE id = 1 OR id = 2", Grade::Whole, ['news'], ['OR' => ['news']]])]
    #[TestWith(['SELECT id FROM news', Grade::Whole, ['news'], ['no WHERE' => ['news']]])]
    #[TestWith(
        [
            'SELECT n.id FROM news n JOIN author a ON a.id = n.author WHERE n.id = 4',
            Grade::Partly,
            ['author', 'news:4'],
            ['joined to rows that are not known beforehand' => ['author']],
        ],
    )]
    #[TestWith(
        ['SELECT id FROM news WHERE @ id = 4', Grade::Refused, [], ['a statement cannot be parsed' => ['@']]],
    )]
    #[TestWith(['DELETE FROM news WHERE id = 4', Grade::Written, ['news:…', 'news?author'], []])]
    #[TestWith(['UPDATE news SET id = 5 WHERE id = 4', Grade::Bulk, ['news!'], ['it assigns the key' => ['news']]])]
    #[TestWith(['COMMIT', Grade::None, [], []])]
    public function testAStatementGetsWhatTheLibraryGivesIt(string $sql, Grade $grade, array $names, array $why): void
    {
        $classifier = new Classifier(StatementsPage::grammar('wordpress'), StatementsPage::catalog(), new SchemaFacts([
            'news' => new TableFacts('news', [
                'id' => ['int(11)', ''], 'author' => ['int(11)', ''], 'day' => ['date', ''],
            ], ['id'], []),
            'author' => new TableFacts('author', ['id' => ['int(11)', '']], ['id'], []),
        ]));
        $classifier->learn('SELECT id FROM news WHERE author = 1');
        $verdict = $classifier->verdict($sql);

        self::assertSame([$grade, $names, $why], [$verdict->grade, $verdict->names, $verdict->why]);
    }

    public function testALongListOfColumnsIsNotShown(): void
    {
        $short = static fn(string $sql): string => (new LoggedStatement(1, $sql))->short(40);

        self::assertSame('SELECT a FROM t', $short('SELECT /* f */ a FROM t'));
        self::assertSame(
            'SELECT … FROM t WHERE a = 1',
            $short('SELECT aaaaaaaaaaaaaaaaaaaaa, (SELECT b FROM u) FROM t WHERE a = 1'),
        );
        self::assertSame(40, mb_strlen($short('SELECT a FROM t WHERE b = 1 AND c = 2 AND d = 3')));
    }
}
