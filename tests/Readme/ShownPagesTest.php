<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use FilesystemIterator;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** Does what pages with a mark, `<!-- run: … -->`, say, and compares what they show. */
#[CoversNothing]
final class ShownPagesTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    /** @return iterable<string, array{string}> */
    public static function pages(): iterable
    {
        yield 'README.md' => ['README.md'];
        /** @var SplFileInfo $file */
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(
            self::ROOT . '/docs',
            FilesystemIterator::SKIP_DOTS,
        )) as $file) {
            $page = substr($file->getPathname(), \strlen(self::ROOT) + 1);
            if (str_ends_with($page, '.md')) {
                yield $page => [$page];
            }
        }
    }

    /** @return iterable<string, array{string, string}> */
    public static function marked(): iterable
    {
        foreach (self::pages() as [$page]) {
            if (preg_match('~^<!-- run: (\w+) -->$~m', ShownPage::read($page), $mark) === 1) {
                yield $page => [$page, $mark[1]];
            }
        }
    }

    #[DataProvider('marked')]
    public function testShowsWhatHappens(string $page, string $what): void
    {
        $directory = new TemporaryDirectory();
        $isOfMemcached = str_contains(ShownPage::read($page), "\n$ memcached ");
        if ($isOfMemcached && Program::find('memcached') === null) {
            self::markTestSkipped('needs memcached');
        }
        $places = $isOfMemcached
            ? ['11211' => (string) Ports::free(), '11212' => (string) Ports::free()]
            : [];
        try {
            $shown = new ShownPage($page, $directory->path, $places);
            match ($what) {
                'commands' => $shown->assertCommandsPrint(),
                'examples' => $shown->assertExamplesPrint(),
                default => self::fail("nobody knows how to run $what"),
            };
        } finally {
            // Servers that a page starts write their ids.
            foreach ((array) glob($directory->path . '/*.pid') as $file) {
                posix_kill((int) file_get_contents((string) $file), SIGKILL);
            }
            $directory->remove();
        }
    }

    /** A page that lost its mark would not be run, and nobody would see it. */
    public function testAPageThatShowsWhatIsPrintedIsMarkedOrHasATest(): void
    {
        $tests = '';
        foreach ((array) glob(__DIR__ . '/*Test.php') as $file) {
            $tests .= file_get_contents((string) $file);
        }
        $marked = array_keys(iterator_to_array(self::marked()));
        foreach (['cache', 'memcached', 'shared-memory'] as $tutorial) {
            self::assertContains("docs/tutorial/$tutorial.md", $marked);
        }
        foreach (self::pages() as [$page]) {
            $shows = preg_match('~^```php\n// .+?^```\n\n```text\n~ms', ShownPage::read($page)) === 1;
            self::assertTrue(
                !$shows || \in_array($page, $marked, true) || str_contains($tests, basename($page)),
                "$page is not run",
            );
        }
    }
}
