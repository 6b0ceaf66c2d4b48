<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\ErrorLog;
use Larder\Metrics\SparingLogger;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** What Larder says where it was given no logger: in php.ini's error_log, by processes that end after each request. */
#[CoversClass(ErrorLog::class)]
#[CoversClass(SparingLogger::class)]
final class ErrorLogTest extends TestCase
{
    /** All is well: nothing may be said. */
    private const NORMAL = <<<'PHP'
        $news->get('/news/4', cache: $pages);
        $news->get('/news/4', cache: $pages);
        $missing = fn() => new Larder\Page\Response(404, ['content-type' => ['text/html; charset=utf-8']], 'none');
        $news->get('/news/9', $missing, cache: $pages);
        $cache = new Larder\Cache(new Larder\Store\ArrayStore());
        $cache->remember('k', fn() => 1);
        $off = new Larder\Cache(new Larder\Store\NullStore());
        $off->remember('k', fn() => 1);
        PHP;

    /** Each line has one cause, and comes twice. */
    private const BROKEN = <<<'PHP'
        $html = fn() => Larder\Tests\Support\NewsSite::html('page');
        $get = fn(string $class, Closure $make = null) => Larder\Page\Pages::of($news->site)
            ->pageCache($news->database)
            ->answer(new Larder\Page\PageRequest('GET', '/news/5', false), $class, $make ?? $html);
        #[Larder\Page\Attribute\Reads('news')]
        final class UnlistedController {}
        $news->database->exec('CREATE TABLE other (id INTEGER PRIMARY KEY)');
        foreach ([1, 2] as $time) {
            $get(UnlistedController::class);
            $get(Larder\Tests\Support\NewsController::class, function () use ($news, $html) {
                $news->database->select('SELECT id FROM other', []);
                return $html();
            });
            foreach (["127.0.0.1:$port", 'nowhere.invalid:6379'] as $server) {
                $cache = new Larder\Cache(Larder\Store\RedisStore::on($server, 'site', timeout: 5000));
                $cache->remember('k', fn() => 1);
                unset($cache);
            }
            $full = new Larder\Tests\Cache\HookedStore(new Larder\Store\ArrayStore());
            $full->on('set', fn() => Larder\Outcome::Refused);
            (new Larder\Cache($full))->remember('k', fn() => 1);
            Larder\Store\MemcachedStore::on("127.0.0.1:$port", 'site');
            Larder\Store\SharedMemoryStore::on();
            (new Larder\Cache(Larder\Store\RedisStore::on("127.0.0.1:$port", 'site', new Psr\Log\NullLogger()), null,
                new Larder\Cache\Settings(), new Psr\Log\NullLogger()))->remember('quiet', fn() => 1);
            @rmdir($news->site->pages . '/draft');
            file_put_contents($news->site->pages . '/draft', 'in the way');
            $news->get('/news/6', $html, cache: Larder\Page\Pages::of($news->site)->pageCache($news->database));
            rename($news->site->list, "$directory/list");
            $news->site->loaded->forget();
            $get(Larder\Tests\Support\NewsController::class);
            rename("$directory/list", $news->site->list);
        }
        PHP;

    private TemporaryDirectory $directory;

    /** Nobody listens at it. */
    private int $port;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->port = Ports::free();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testACacheThatIsOffSaysSoOnceAMinuteForEachCauseInAllProcesses(): void
    {
        do {
            $minute = intdiv(time(), 60);
            // It knows what was said in this minute: if one ended within a try, the next one begins with nothing.
            $this->directory->remove();
            $this->directory = new TemporaryDirectory();
            $first = $this->logOf(self::BROKEN);
            $second = $this->logOf(self::BROKEN);
        } while ($minute !== intdiv(time(), 60));

        $expected = [
            'Larder warning: No page of UnlistedController is stored: it has #[Reads] and is not in the list of '
                . 'controllers. Add it to Site::$controllers and run larder deploy.',
            'Larder warning: The page /news/5 of Larder\Tests\Support\NewsController is not stored: it read other',
            'Larder warning: redis: 127.0.0.1:',
            'Larder warning: The value of k is made by each request: the store does not answer.',
            'Larder warning: redis: nowhere.invalid:6379: ',
            'Larder warning: The value of k was not stored: ',
            'Larder warning: Nothing is cached on memcached: the PHP extension larder is not loaded.',
            'Larder warning: Nothing is cached in shared memory: the PHP extension larder is not loaded.',
            'Larder error: The page /news/6 of Larder\Tests\Support\NewsController is not stored: The page store',
            'Larder error: Page caching is off: no release is deployed. Run larder deploy.',
        ];
        self::assertCount(\count($expected), $first, implode("\n", $first));
        foreach ($expected as $number => $line) {
            self::assertStringStartsWith($line, $first[$number]);
        }
        self::assertSame($first, $second);
    }

    public function testNothingIsSaidOfWhatIsNormal(): void
    {
        self::assertSame([], $this->logOf(self::NORMAL));
        self::assertSame([], glob($this->directory->path . '/larder-log-*'));
    }

    public function testALineIsOneLineWhateverIsInIt(): void
    {
        $lines = $this->logOf('(new Larder\Metrics\ErrorLog())->error("{a}\n{b}", ["a" => "x\r", "b" => [1]]);');

        self::assertSame(['Larder error: x\r\n{b}'], $lines);
    }

    /** @return list<string> what the log has, without times, after a process that has no larder extension */
    private function logOf(string $program): array
    {
        $log = $this->directory->path . '/php.log';
        $before = <<<'PHP'
            require $argv[1];
            [, , $directory, $port] = $argv;
            $news = new Larder\Tests\Support\NewsSite();
            $pages = Larder\Page\Pages::of($news->site)->pageCache($news->database);
            PHP;
        $process = new Process([
            PHP_BINARY,
            '-d', 'error_log=' . $log,
            '-d', 'sys_temp_dir=' . $this->directory->path,
            '-r', $before . $program,
            '--',
            \dirname(__DIR__, 4) . '/vendor/autoload.php',
            $this->directory->path,
            (string) $this->port,
        ]);
        $code = $process->run();
        self::assertSame([0, ''], [$code, $process->getErrorOutput()], $process->getOutput());
        $text = is_file($log) ? trim((string) file_get_contents($log)) : '';

        return $text === '' ? [] : array_map(
            static fn(string $line): string => (string) preg_replace('/^\[[^]]*\] /', '', $line),
            explode("\n", $text),
        );
    }
}
