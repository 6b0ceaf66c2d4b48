<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use Larder\Tests\Support\PackageFiles;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/**
 * Nobody asks which database it is. A Dialect is told what to do, and chooses what there is of two kinds: else a new
 * database would have to be thought of wherever somebody asks.
 */
#[CoversNothing]
final class DatabaseQuestionsTest extends TestCase
{
    private const NAME = "'(?:sqlite|mysqli?|mariadb|pgsql|postgres(?:ql)?)'";

    /** How such a question is spelled, in code without comments. */
    private const SPELLINGS = [
        '/\binstanceof \w*(?:Dialect|Grammar|Catalog)\b/',
        '/\b(?:Sqlite|MariaDb|PostgreSql|Locking)(?:Dialect|Grammar|Catalog)::class\b/',
        '/[=!]==? ' . self::NAME . '/i',
        '/' . self::NAME . '(?: [=!]==?| =>|, \'\w+\' =>)/i',
        '/\bdriver\(\) ?[=!]==?|\bmatch \([^{]*driver\(\)\)/',
        '/\b\$?(?:is|locks)(?:Sqlite|MariaDb|MySql|PostgreSql|Rows)\b/i',
        '/\$(?:this->)?(?:facts|locking) [=!]== null/',
    ];

    /** Questions that are asked, and why. */
    private const ASKED = [
        // The factory: a DSN says which dialect it is.
        'sql/src/Schema/Drivers.php' => 2,
        // A package below that of the dialects, for a PDO whose statements nobody follows.
        'cache/src/Dependency/PdoSource.php' => 1,
    ];

    public function testNobodyAsksWhichDatabaseItIs(): void
    {
        $asked = [];
        foreach (PackageFiles::of() as $file) {
            $count = self::questions((string) file_get_contents($file));
            if ($count > 0) {
                $asked[substr($file, (int) strpos($file, '/packages/') + \strlen('/packages/'))] = $count;
            }
        }
        ksort($asked);
        $expected = self::ASKED;
        ksort($expected);

        self::assertSame($expected, $asked);
    }

    public function testWhatCountsAsAQuestion(): void
    {
        $questions = [
            '$dialect instanceof SqliteDialect', '$dialect instanceof LockingDialect', "\$name === 'mysql'",
            "\$dialect->driver() !== 'pgsql'", "'sqlite' == \$name", "match (\$name) { 'mysql' => 1 }",
            "match (\$name) { 'pgsql', 'other' => 1 }", 'match ($connection->dialect()->driver())',
            '$dialect->driver() === $other', '$this->isMariaDb', '$isSqlite = true', '$dialect->locksRows()',
            '$this->facts === null', '$locking !== null', '$dialect::class === PostgreSqlDialect::class',
        ];
        $others = [
            'new SqliteDialect()', 'fn(LockingDialect $dialect) => 1', "sprintf('%s', \$dialect->driver())",
            "['kind' => 'mysql']", '// $dialect instanceof SqliteDialect', "'the mysql' === \$text",
            '$this->facts->areSeen($table)', '$row === null',
        ];

        foreach ($questions as $code) {
            self::assertGreaterThan(0, self::questions("<?php $code;"), $code);
        }
        foreach ($others as $code) {
            self::assertSame(0, self::questions("<?php $code\n;"), $code);
        }
    }

    private static function questions(string $php): int
    {
        $code = '';
        foreach (token_get_all($php) as $token) {
            $isComment = \is_array($token) && \in_array($token[0], [T_COMMENT, T_DOC_COMMENT], true);
            $code .= \is_array($token) ? ($isComment ? '' : $token[1]) : $token;
        }

        return array_sum(array_map(
            static fn(string $spelling): int => (int) preg_match_all($spelling, $code),
            self::SPELLINGS,
        ));
    }
}
