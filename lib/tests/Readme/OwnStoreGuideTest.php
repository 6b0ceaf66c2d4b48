<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use Larder\Testing\PageStoreContract;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Runs the PHP of docs/how-to/own-store.md: the store keeps the contract, and a site's pages in it follow changes. */
#[CoversClass(PageStoreContract::class)]
final class OwnStoreGuideTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private const SITE = <<<'PHP'
        <?php
        require __DIR__ . '/bootstrap.php';
        use Larder\Page\{Operations, PageRequest, Pages, Response, Site, Storage};
        $site = new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: __DIR__ . '/host',
            list: __DIR__ . '/list.php',
            controllers: [Larder\Proof\Support\NewsController::class],
            connect: fn() => new Larder\Dependency\RecordingPdo('sqlite:' . __DIR__ . '/site.sqlite'),
            operations: new Operations(code: []),
            storage: new Storage(open: static fn(string $release) => new SqlitePages(__DIR__ . '/pages.sqlite')),
        );
        $database = Pages::of($site)->connect();
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $database->exec("INSERT INTO news VALUES (4, 'four')");
        Pages::of($site)->deploy();
        $get = static function () use ($site, $database): void {
            $answer = Pages::of($site)->pageCache($database)->answer(
                new PageRequest('GET', '/news/4', false),
                Larder\Proof\Support\NewsController::class,
                static fn() => new Response(
                    200,
                    ['content-type' => ['text/plain']],
                    $database->select('SELECT title FROM news WHERE id = 4')[0]['title'],
                ),
            );
            echo $answer->body, ' ', $answer->header('cache-status'), "\n";
        };
        $get();
        $get();
        $database->exec("UPDATE news SET title = 'new' WHERE id = 4");
        $get();
        $get();
        PHP;

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        preg_match_all(
            '~^```php\n(<\?php\n// (\S+)\n.+?)^```$~ms',
            (string) file_get_contents(self::ROOT . '/docs/how-to/own-store.md'),
            $blocks,
        );
        self::assertSame(['src/SqlitePages.php', 'tests/SqlitePagesTest.php'], $blocks[2]);
        foreach ($blocks[2] as $index => $file) {
            mkdir($this->directory->path . '/' . \dirname($file));
            file_put_contents($this->directory->path . '/' . $file, $blocks[1][$index]);
        }
        file_put_contents($this->directory->path . '/bootstrap.php', \sprintf(
            "<?php require %s; require __DIR__ . '/src/SqlitePages.php';\n",
            var_export(realpath(self::ROOT . '/vendor/autoload.php'), true),
        ));
        file_put_contents($this->directory->path . '/site.php', self::SITE);
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testItsStoreKeepsTheContract(): void
    {
        $run = $this->contract();
        self::assertSame(0, $run->getExitCode(), $run->getOutput());
        self::assertMatchesRegularExpression('/^OK \(\d\d tests, \d{3} assertions\)$/m', $run->getOutput());
    }

    /** Each is a mistake that makes stale pages, or loses them. */
    public function testTheContractFindsAStoreThatIsWrong(): void
    {
        $file = $this->directory->path . '/src/SqlitePages.php';
        $right = (string) file_get_contents($file);
        foreach ([
            ' AND draft = ? AND body IS NULL\',' => ' AND ? <> \\\'\\\'\',',
            '[(int) $gzip]' => '[0]',
            '\'"%x-%x"\', $generation,' => '\'"%x"\',',
            'FROM page WHERE address IN' => 'FROM page WHERE body IS NOT NULL AND address IN',
            '$this->run(\'DELETE FROM page\');' => '',
            '$this->run(\'DELETE FROM life\');' => '',
            ' && $life[1] <= $generation' => '',
            '$life[0] === $ledger && ' => '',
            ', $draft->answer->headers' => '',
        ] as $line => $wrong) {
            self::assertStringContainsString($line, $right);
            file_put_contents($file, str_replace($line, $wrong, $right));
            self::assertSame(1, $this->contract()->getExitCode(), $line);
        }
    }

    public function testItsPagesFollowChanges(): void
    {
        $run = new Process([PHP_BINARY, 'site.php'], $this->directory->path);
        $run->run();
        self::assertSame(
            "four larder; fwd=miss; stored\nfour larder; hit\nnew larder; fwd=miss; stored\nnew larder; hit\n",
            $run->getOutput() . $run->getErrorOutput(),
        );
    }

    private function contract(): Process
    {
        $run = new Process([
            PHP_BINARY, (string) realpath(self::ROOT . '/vendor/bin/phpunit'), '--no-configuration', '--no-progress',
            '--fail-on-all-issues', '--bootstrap=bootstrap.php', 'tests/SqlitePagesTest.php',
        ], $this->directory->path);
        $run->run();

        return $run;
    }
}
