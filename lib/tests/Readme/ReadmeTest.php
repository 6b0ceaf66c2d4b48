<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Runs what README.md shows of the files of lib/example, and holds it to what a visitor reads in a minute. */
#[CoversNothing]
final class ReadmeTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';
    private const LINES = 100;

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        (new Process(['cp', '-r', self::ROOT . '/lib/example/.', $this->directory->path]))->mustRun();
        (new Process(['rm', '-rf', $this->directory->path . '/var', $this->directory->path . '/vendor']))->mustRun();
        mkdir($this->directory->path . '/vendor');
        file_put_contents(
            $this->directory->path . '/vendor/autoload.php',
            '<?php require_once ' . var_export(realpath(self::ROOT . '/vendor/autoload.php'), true) . ';',
        );
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testItsSiteStoresAPageAndItsChangeDropsIt(): void
    {
        $example = new Process(
            [
                \PHP_BINARY, '-d', 'error_log=log', __DIR__ . '/run-example.php', self::ROOT . '/vendor/autoload.php',
                'NewsController',
            ],
            $this->directory->path,
        );
        $example->run();

        self::assertSame('', $example->getErrorOutput());
        self::assertSame("stored\ngone\nNew title\n", $example->getOutput());
    }

    /**
     * With the extensions of this PHP, and with none.
     *
     * @param list<string> $options
     */
    #[TestWith([[]])]
    #[TestWith([['-n']])]
    public function testItsValuePrintsWhatItsCommentsSay(array $options): void
    {
        preg_match_all('~^echo .*// (.+)$~m', self::blocks()['remember.php'], $comments);
        self::assertCount(2, $comments[1]);
        $example = new Process([\PHP_BINARY, ...$options, 'remember.php'], $this->directory->path);
        $example->run();

        self::assertSame('', $example->getErrorOutput());
        self::assertSame(implode("\n", $comments[1]) . "\n", $example->getOutput());
    }

    /** Without the lines that name classes and load them. */
    public function testItShowsTheFilesOfTheExampleAsTheyAre(): void
    {
        $blocks = self::blocks();
        self::assertSame(['remember.php', 'public/index.php'], array_keys($blocks));
        foreach ($blocks as $name => $code) {
            $file = (string) file_get_contents(self::ROOT . '/lib/example/' . $name);
            self::assertSame(1, preg_match('~^require .+autoload\.php\';\n\n(.+)\z~ms', $file, $body));
            self::assertSame($body[1], $code, $name);
        }
    }

    public function testItIsReadInAMinute(): void
    {
        [$text] = explode("\n## More\n", self::readme(), 2);
        self::assertLessThanOrEqual(self::LINES, substr_count($text, "\n") + 1);
        self::assertLessThanOrEqual(8, substr_count(self::blocks()['remember.php'], "\n"));
        self::assertLessThanOrEqual(6, substr_count(self::blocks()['public/index.php'], "\n"));
    }

    /** @return array<string, string> its blocks of PHP by the names of their files, which are in their first lines */
    private static function blocks(): array
    {
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', self::readme(), $blocks);
        self::assertCount(substr_count(self::readme(), "\n```php\n"), $blocks[1], 'each block starts with its name');

        return array_combine($blocks[1], $blocks[2]);
    }

    private static function readme(): string
    {
        return (string) file_get_contents(self::ROOT . '/README.md');
    }
}
