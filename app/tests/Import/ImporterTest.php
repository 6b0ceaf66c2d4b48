<?php

declare(strict_types=1);

namespace App\Tests\Import;

use App\Database;
use App\Import\Importer;
use Closure;
use Larder\Testbed\Server\Database as Server;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(Importer::class)]
final class ImporterTest extends TestCase
{
    private const PACKAGES = [
        __DIR__ . '/../fixtures-import/Packages',
        __DIR__ . '/../fixtures-import/Packages-updates',
    ];
    private const TRANSLATIONS = [
        __DIR__ . '/../fixtures-import/Translation-en',
        __DIR__ . '/../fixtures-import/Translation-updates',
    ];

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testImportsWhatHasSectionAndText(): void
    {
        $told = [];
        $items = Importer::create(
            $this->database(),
        )->import(self::PACKAGES, self::TRANSLATIONS, 100, static function (int $count) use (&$told): void {
            $told[] = $count;
        });

        self::assertSame(4, $items);
        self::assertSame([1, 2, 3, 4], $told);
        self::assertEqualsCanonicalizing([
            ['title' => 'jar: glass to keep <things> in', 'category' => 'glass', 'author' => 'Ann Larch'],
            ['title' => 'lid: shuts a jar', 'category' => 'contrib-net', 'author' => 'Team Shelf'],
            ['title' => 'sack: cloth', 'category' => 'cloth', 'author' => 'Ann Larch'],
            ['title' => 'tin: metal box', 'category' => 'metal', 'author' => 'Ben & Moss'],
        ], $this->rows('SELECT title, category, author FROM news'));
    }

    public function testTextsBecomeParagraphsAndLists(): void
    {
        $importer = Importer::create($this->database());
        $importer->import(self::PACKAGES, self::TRANSLATIONS, 100, static function (): void {});
        $texts = array_column(
            $this->rows("SELECT substr(title, 1, instr(title, ':') - 1) AS name, summary, body FROM news"),
            null,
            'name',
        );

        self::assertSame(
            "A jar keeps what is put into it, and can be seen through. Its \"lid\" comes apart.\n\nIt is good for:\n- "
                . "jam, of which there is a lot;\n- pickles & more\n\nUse:\njar --open\njar --shut",
            $texts['jar']['body'],
        );
        self::assertSame(
            'A jar keeps what is put into it, and can be seen through. Its "lid" comes apart.',
            $texts['jar']['summary'],
        );
        self::assertSame(
            ['shuts a jar', 'Shuts a jar'],
            [$texts['lid']['body'], $texts['lid']['summary']],
            'no long text',
        );
        self::assertSame('Metal box', $texts['tin']['summary'], 'an opening that only leads to a list tells nothing');
    }

    public function testEveryWordOfATitleIsThereOnce(): void
    {
        $importer = Importer::create($this->database());
        $importer->import(self::PACKAGES, self::TRANSLATIONS, 100, static function (): void {});

        self::assertSame(
            ['glass', 'in', 'jar', 'keep', 'things', 'to'],
            array_column(
                $this->rows(
                    "SELECT word FROM word JOIN news ON news.id = news_id WHERE title LIKE 'jar:%' ORDER BY word",
                ),
                'word',
            ),
        );
    }

    public function testTheFileAloneHasAllItems(): void
    {
        $importer = Importer::create($this->database());
        $importer->import(self::PACKAGES, self::TRANSLATIONS, 100, static function (): void {});
        copy($this->file(), $this->file('copy'));

        self::assertCount(4, $this->rows('SELECT id FROM news', 'copy'));
        unset($importer);
    }

    public function testTheSameListsMakeTheSameSite(): void
    {
        $queries = ['SELECT * FROM news', 'SELECT * FROM word', 'SELECT * FROM comment'];
        $made = [];
        foreach (['one', 'two'] as $name) {
            Importer::create($this->database($name))->import(
                self::PACKAGES,
                self::TRANSLATIONS,
                3,
                static function (): void {},
            );
            $made[] = array_map(fn(string $sql): array => $this->rows($sql, $name), $queries);
        }

        self::assertSame($made[0], $made[1]);
        self::assertLessThanOrEqual(3, \count($made[0][0]));
    }

    public function testEachDatabaseHoldsTheSameSite(): void
    {
        $fixtures = __DIR__ . '/../fixtures';
        $queries = [
            'SELECT id, title, summary, body, category, author FROM news ORDER BY id',
            'SELECT id, word, news_id FROM word ORDER BY id',
            'SELECT id, news_id, author, text, created_at FROM comment ORDER BY id',
            'SELECT category, COUNT(*) AS items FROM news GROUP BY category ORDER BY category',
            "SELECT w.news_id FROM word w WHERE w.word = 'sage' ORDER BY w.news_id DESC",
        ];
        $sites = [];
        foreach (DatabaseKind::cases() as $kind) {
            $server = Server::start($kind, $this->directory->path . '/' . $kind->value);
            try {
                $database = new Database($server->name, $server->user, $server->password);
                $importer = Importer::create($database);
                $importer->import(
                    [$fixtures . '/Packages'],
                    [$fixtures . '/Translation-en'],
                    100,
                    static function (): void {},
                );
                $connection = $server->connect();
                foreach ($queries as $sql) {
                    $statement = $connection->query($sql);
                    self::assertNotFalse($statement);
                    $sites[$kind->value][] = $statement->fetchAll(PDO::FETCH_ASSOC);
                }
                if ($kind !== DatabaseKind::Sqlite) {
                    self::assertThrows(static fn() => Importer::create($database), 'already there');
                }
                $insert = 'INSERT INTO news (title, summary, body, category, author)';
                $connection->exec($insert . " VALUES ('a', '', '', '', '')");
                self::assertSame('61', $connection->lastInsertId(), 'The next item has the next number.');
                $importer->undo();
                self::assertThrows(static fn() => $connection->query('SELECT * FROM news'), 'news');
            } finally {
                $server->stop();
            }
        }

        self::assertCount(60, $sites['sqlite'][0]);
        self::assertSame($sites['sqlite'], $sites['mariadb']);
        self::assertSame($sites['sqlite'], $sites['postgresql']);
    }

    public function testNothingThatXmlCannotHoldComesIn(): void
    {
        $file = $this->directory->path . '/Translation';
        file_put_contents($file, "Package: jar\nDescription-en: bad \x01 and \xff\n text \x0b here\n");
        Importer::create($this->database())->import(self::PACKAGES, [$file], 100, static function (): void {});

        self::assertSame(
            [['title' => 'jar: bad  and ?', 'body' => 'text  here']],
            $this->rows('SELECT title, body FROM news'),
        );
    }

    public function testLeavesADatabaseThatIsThereAlone(): void
    {
        file_put_contents($this->file(), 'mine');
        try {
            Importer::create($this->database());
            self::fail('It was overwritten.');
        } catch (RuntimeException $exception) {
            self::assertStringContainsString('is already there', $exception->getMessage());
        }
        self::assertStringEqualsFile($this->file(), 'mine');
    }

    /** @param Closure(): mixed $call */
    private static function assertThrows(Closure $call, string $message): void
    {
        try {
            $call();
            self::fail('Nothing is thrown.');
        } catch (RuntimeException $exception) {
            self::assertStringContainsString($message, $exception->getMessage());
        }
    }

    private function database(string $name = 'site'): Database
    {
        return new Database($this->file($name));
    }

    private function file(string $name = 'site'): string
    {
        return $this->directory->path . '/' . $name . '.sqlite';
    }

    /** @return list<array<string, int|string>> */
    private function rows(string $sql, string $name = 'site'): array
    {
        $statement = (new PDO('sqlite:' . $this->file($name)))->query($sql);
        self::assertNotFalse($statement);
        /** @var list<array<string, int|string>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }
}
