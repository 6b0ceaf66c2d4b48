<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Tests\ChosenDatabase;
use Larder\Follow\Followed;
use Larder\Follow\Follower;
use Larder\Follow\Log;
use Larder\Follow\Position;
use Larder\Follow\Queries;
use Larder\Follow\Settings;
use Larder\Follow\State;
use Larder\Page\Pages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Symfony\Component\Process\Process;

/**
 * The example site, where nobody tells Larder what changes: items and comments are edited in the database's console.
 *
 * Its pages are made from the tables alone, so that no name is given by hand. Until the follower has worked, a page
 * shows what was there before the edit. When it has acknowledged the edit's place in the log, every page is right.
 */
abstract class FollowedSiteCase extends TestCase
{
    private static TemporaryDirectory $directory;

    private static Database $database;

    private static LiveSite $site;

    abstract protected static function kind(): DatabaseKind;

    /** A log of its own, to ask where it ends. */
    abstract protected static function log(Queries $queries): Log;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$database = ChosenDatabase::followed(static::kind(), self::$directory->path . '/data');
        self::$site = LiveSite::example(['APP_STORE' => 'none'], database: self::$database);
        mkdir(self::$directory->path . '/follow');
        self::$site->warmUp();
        self::follow();
    }

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
        self::$directory->remove();
    }

    /** @return iterable<string, array{string, string, string, bool, string}> see below */
    public static function edits(): iterable
    {
        yield 'a title' => [
            "UPDATE news SET title = 'Typed by hand' WHERE id = 4",
            '/news/4', 'Typed by hand', true, '/news/5',
        ];
        yield 'a comment' => [
            "INSERT INTO comment (news_id, author, text, created_at)"
                . " VALUES (7, 'Ida', 'Said by hand', '2026-01-01 00:00:00')",
            '/news/7', 'Said by hand', true, '/news/5',
        ];
        yield 'another category' => [
            "UPDATE news SET category = 'jars' WHERE id = 31",
            '/category/jars', '"/news/31"', true, '/news/5',
        ];
        yield 'out of its category' => [
            "UPDATE news SET category = 'roots' WHERE id = 31",
            '/category/jars', '"/news/31"', false, '/news/5',
        ];
        yield 'a word that no title had' => [
            "INSERT INTO word (word, news_id) VALUES ('marzipan', 17)",
            Crawl::EMPTY_SEARCH, '"/news/17"', true, '/news/17',
        ];
        yield 'a new item' => [
            "INSERT INTO news (id, title, summary, body, category, author)"
                . " VALUES (900, 'Born by hand', 'short', 'long', 'jars', 'Ida')",
            '/', 'Born by hand', true, '/news/5',
        ];
        yield 'an item that goes' => ['DELETE FROM news WHERE id = 900', '/', 'Born by hand', false, '/news/5'];
        yield 'all items at once' => [
            "UPDATE news SET author = 'Nobody'",
            '/news/9', 'Nobody', true, Crawl::EMPTY_SEARCH,
        ];
        yield 'several tables in one transaction' => [
            "BEGIN; UPDATE news SET title = 'Twice' WHERE id = 8; DELETE FROM comment WHERE news_id = 8;"
                . ' DELETE FROM word WHERE news_id = 8; COMMIT',
            '/news/8', 'Twice', true, '/news/5',
        ];
    }

    /**
     * @param string $sql    as it is typed
     * @param string $uri    a page that it changes
     * @param string $words  that come into the page, or go out of it
     * @param string $others a page that was not made from what is changed
     */
    #[DataProvider('edits')]
    public function testEveryPageIsRightWhenTheFollowerHasAcknowledgedAnEdit(
        string $sql,
        string $uri,
        string $words,
        bool $areAdded,
        string $others,
    ): void {
        $this->prepare($sql);
        $before = Crawl::bodies(self::$site);
        self::assertGreaterThan(75, \count($before));
        self::assertSame($areAdded, !str_contains($before[$uri], $words));

        self::type($sql);
        self::assertSame($before[$uri], self::$site->get($uri)->body, 'Nobody has told it.');
        self::follow();

        $kept = self::$site->keys();
        self::assertNotContains($uri, $kept);
        self::assertContains($others, $kept, 'It was not made from what was changed.');
        $after = Crawl::bodies(self::$site);
        self::assertSame($areAdded, str_contains($after[$uri], $words));
        self::$site->flush();
        self::assertSame(self::exact(Crawl::bodies(self::$site)), self::exact($after));
    }

    /** Makes what the edit needs, whichever ones were tried before. */
    private function prepare(string $sql): void
    {
        $plain = self::$database->connect();
        $plain->exec("DELETE FROM word WHERE word = 'marzipan'");
        $plain->exec('DELETE FROM news WHERE id = 900');
        $plain->exec("UPDATE news SET title = 'Old', author = 'Ida', category = 'leaves' WHERE id IN (4, 8, 9, 31)");
        $plain->exec("DELETE FROM comment WHERE text = 'Said by hand'");
        if (str_contains($sql, "'roots'")) {
            $plain->exec("UPDATE news SET category = 'jars' WHERE id = 31");
        } elseif (str_starts_with($sql, 'DELETE')) {
            $plain->exec("INSERT INTO news VALUES (900, 'Born by hand', 'short', 'long', 'jars', 'Ida')");
        }
        self::follow();
    }

    /**
     * @param array<string, string> $bodies by URI
     *
     * @return array<string, string> without those that may be old for some time by their policy
     */
    private static function exact(array $bodies): array
    {
        return array_intersect_key($bodies, array_flip(Crawl::exact(array_keys($bodies))));
    }

    private static function type(string $sql): void
    {
        $database = self::$database;
        $console = new Process(static::kind() === DatabaseKind::MariaDb
            ? ['mariadb', ...$database->access(self::$directory->path), $database->part('dbname'), '-e', $sql]
            : [
                'psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-h', $database->part('host'), '-p', $database->part('port'),
                '-U', (string) $database->user, $database->part('dbname'), '-c', $sql,
            ]);
        $console->mustRun();
    }

    /** Until the follower has acknowledged all that is in the log now. */
    private static function follow(): void
    {
        $directory = self::$directory->path . '/follow';
        $end = self::end();
        $follower = null;
        $follower = new Follower(
            new Followed(
                static fn(): SqlLedger => Pages::of(self::$site->site)->ledger(self::$site->configuration->connect()),
                $directory,
                name: 'site',
                log: self::$database->access($directory),
                settings: new Settings(3600.0, 0.02, logger: new NullLogger()),
            ),
            static function (string $step) use (&$follower, $directory, $end): void {
                $position = (new State($directory))->position()[0] ?? null;
                if ($step === 'beat' && $position instanceof Position && $position->hasReached($end)) {
                    $follower?->stop();
                }
            },
        );
        $follower->run();
    }

    private static function end(): Position
    {
        return static::log(new Queries(self::$database->connect()))->end();
    }
}
