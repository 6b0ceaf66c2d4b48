<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\MariaDbGrammar;
use Larder\Sql\Schema\Catalog;
use Larder\Sql\Schema\MariaDbCatalog;

/** What each statement that three applications send gets: the sums for a page of docs, and a page with all of them. */
final readonly class StatementsPage
{
    /** Of each application: its statements as they were logged, and its tables. */
    public const DATA = __DIR__ . '/../../fixtures/statements/';

    /** The sums are its end, below the mark. */
    private const PAGE = __DIR__ . '/../../../docs/how-to/mariadb-and-postgresql.md';

    private const MARK = "<!-- Made by tools/statements. -->\n";

    private const LIST = __DIR__ . '/../../../docs/reference/statements.md';

    /** By the file of its statements: title, and the file of its tables; null: its package is not to be had. */
    public const APPLICATIONS = [
        'wordpress' => ['WordPress 6.1', 'wordpress'],
        'wordpress-object-cache' => ['WordPress 6.1 with an object cache', 'wordpress'],
        'mediawiki' => ['MediaWiki 1.39', 'mediawiki'],
        'mediawiki-memcached' => ['MediaWiki 1.39 with memcached', 'mediawiki'],
        'drupal' => ['Drupal 10.6', null],
    ];

    /** How often it is the only reason. */
    private const ALONE = 'alone';

    /** What `@@sql_mode` says after `SET sql_mode = 'ANSI,TRADITIONAL'`, as Drupal does, without what is of writes. */
    private const ANSI = 'REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ANSI,TRADITIONAL';

    private const COLUMNS = 100;

    private const MOST_NAMES = 3;

    private const HEAD = <<<'MD'

        ## What the statements of three applications get

        The server of each application logged these statements while pages were read. The numbers say how many they
        were. WordPress and MediaWiki have the tables that their Debian packages make. Drupal has none here, so its list
        gives the columns that would make a name narrower. The tracker derives such names once it has learned the column
        sets. [Each statement with its names](../reference/statements.md)

        - rows: each table is read by its key, as `wp_posts:6`
        - sets: by its key or by equal columns, as `wp_postmeta?post_id=6`
        - whole: any change of the table counts; partly whole: that of one table of several
        - refused: what is made of it is not stored, or with a `ttl` only
        - writes rows: the rows that change are read and named; in bulk: all that read the table count as changed

        MD;

    /** In which an application writes its statements. */
    public static function grammar(string $application): Grammar
    {
        return MariaDbGrammar::of($application === 'drupal' ? self::ANSI : '');
    }

    public static function catalog(): Catalog
    {
        return new MariaDbCatalog();
    }

    /** @return array<string, string> the texts by their files */
    public static function texts(): array
    {
        $sums = $tables = '';
        $rules = [];
        foreach (self::APPLICATIONS as $name => [$title, $schema]) {
            $counts = $times = array_fill_keys(array_column(Grade::cases(), 'value'), 0);
            $rows = '';
            foreach (self::verdicts($name, $schema) as [$logged, $verdict]) {
                ++$counts[$verdict->grade->value];
                $times[$verdict->grade->value] += $logged->count;
                $rows .= self::row([
                    (string) $logged->count,
                    self::code($logged->short(self::COLUMNS)),
                    $verdict->grade->value,
                    self::names($verdict->names),
                    self::why($verdict->why),
                ]);
                foreach (array_keys($verdict->why) as $rule) {
                    foreach ([$title, ...(\count($verdict->why) === 1 ? [self::ALONE] : [])] as $column) {
                        $rules[$rule][$column] = ($rules[$rule][$column] ?? 0) + $logged->count;
                    }
                }
            }
            $sums .= self::row([$title . ', statements', ...array_map(strval(...), array_values($counts))])
                . self::row(['times', ...array_map(strval(...), array_values($times))]);
            $tables .= \sprintf("\n## %s\n\n", $title)
                . self::head(['times', 'statement', 'gets', 'names', 'why no more']) . $rows;
        }

        $sums = self::HEAD . "\n" . self::head(['', ...array_column(Grade::cases(), 'value')], 1) . $sums
            . "\n### What stands in the way\n\n"
            . "How often a statement was sent that gets no more for this reason; alone: and for no other one.\n\n"
            . self::rules($rules);

        return [
            self::PAGE => strstr((string) file_get_contents(self::PAGE), self::MARK, true) . self::MARK . $sums,
            self::LIST => "# The statements of three applications, and what they get\n" . $tables,
        ];
    }

    /** @return list<array{LoggedStatement, Verdict}> */
    public static function verdicts(string $name, ?string $schema): array
    {
        $facts = $schema === null ? null : SchemaFacts::read(self::DATA . $schema . '.json');
        $classifier = new Classifier(self::grammar($name), self::catalog(), $facts);
        $statements = LoggedStatement::listed(self::DATA . $name . '.tsv');
        foreach ($statements as $statement) {
            $classifier->learn($statement->sql);
        }

        return array_map(
            static fn(LoggedStatement $one): array => [$one, $classifier->verdict($one->sql)],
            $statements,
        );
    }

    /** @param array<string, array<string, int>> $rules times by application */
    private static function rules(array $rules): string
    {
        $titles = array_column(self::APPLICATIONS, 0);
        $sum = static fn(array $times): int => array_sum(array_diff_key($times, [self::ALONE => true]));
        uasort($rules, static fn(array $one, array $other): int => $sum($other) <=> $sum($one));
        $text = self::head(['', ...$titles, 'together', self::ALONE], 1);
        foreach ($rules as $rule => $times) {
            $text .= self::row([
                $rule,
                ...array_map(static fn(string $title): string => (string) ($times[$title] ?? 0), $titles),
                (string) $sum($times),
                (string) ($times[self::ALONE] ?? 0),
            ]);
        }

        return $text;
    }

    /** @param list<string> $names */
    private static function names(array $names): string
    {
        // A statement with a long list has as many names of one kind. One of each kind is told first.
        $kinds = [];
        foreach ($names as $name) {
            $kinds[(string) preg_replace('/(?<=[:=])[^&]*/', '', $name)][] = $name;
        }
        $first = array_column($kinds, 0);
        $told = array_unique([...$first, ...\array_slice($names, 0, max(0, self::MOST_NAMES - \count($first)))]);
        $more = \count($names) - \count($told);

        return implode(' ', array_map(self::code(...), $told)) . ($more > 0 ? \sprintf(' and %d more', $more) : '');
    }

    /** @param array<string, list<string>> $why */
    private static function why(array $why): string
    {
        $reasons = [];
        foreach ($why as $rule => $of) {
            $reasons[] = $rule . ($of === [] ? '' : ': ' . implode(', ', array_map(self::code(...), $of)));
        }

        return implode('; ', $reasons);
    }

    private static function code(string $text): string
    {
        $text = str_replace('|', '\|', $text);

        return str_contains($text, '`') ? '`` ' . $text . ' ``' : '`' . $text . '`';
    }

    /** @param list<string> $cells */
    private static function row(array $cells): string
    {
        return '| ' . implode(' | ', $cells) . " |\n";
    }

    /**
     * @param list<string> $cells
     * @param int|null     $numbers the first column that has numbers; null: it is the first one alone
     */
    private static function head(array $cells, ?int $numbers = null): string
    {
        $lines = [];
        foreach (array_keys($cells) as $i) {
            $lines[] = ($numbers === null ? $i === 0 : $i >= $numbers) ? '---:' : '---';
        }

        return self::row($cells) . self::row($lines);
    }
}
