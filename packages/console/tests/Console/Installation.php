<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Closure;
use Larder\Page\Limits;
use Larder\Page\ListedFiles;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use Larder\Tests\Support\QuickController;
use PDO;
use Psr\Log\LoggerInterface;
use Symfony\Component\Process\Process;

/** A sound installation on a real nginx and php-fpm, for a test that breaks it and makes it sound again. */
final readonly class Installation
{
    public const SEGMENT = 'site';

    public TemporaryDirectory $directory;

    /** All files of the site. */
    public string $path;

    public RunningSite $running;

    public function __construct()
    {
        $this->directory = new TemporaryDirectory('larder-doctor');
        $this->path = $this->directory->path . '/site';
        mkdir($this->path . '/run/pages', recursive: true);
        mkdir($this->path . '/public');
        mkdir($this->path . '/data');
        file_put_contents($this->path . '/public/index.php', "<?php echo 'a page';\n");
        file_put_contents($this->path . '/public/style.css', "p {}\n");
        $this->describe('');
        $database = $this->open();
        $database->exec('PRAGMA journal_mode = WAL');
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category VARCHAR(20), author TEXT COLLATE NOCASE)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER NOT NULL)');
        $site = self::site($this->path);
        Pages::of($site)->deploy('r1');
        $this->running = RunningSite::start(
            $site,
            $this->directory->path . '/servers',
            $this->path . '/public/index.php',
            $this->path . '/public',
            workers: 1,
            startup: $this->segment() + ['extension' => Extension::file()],
        );
        $this->store($site, '/news/4');
        unset($database);
        // Doctor looks as php-fpm's user, though root starts it.
        exec(\sprintf('chown -R www-data:www-data %s %s', escapeshellarg($site->pages), "$this->path/data"));
        $this->copy('site', 'sound');
    }

    /**
     * The site, for its site file.
     *
     * @param list<class-string>                     $controllers
     * @param (Closure(): RecordingPdo)|null          $connect
     * @param list<string>                           $sessionCookies
     * @param array<non-empty-string, string>         $headers
     * @param (Closure(LoggerInterface): Store)|null  $store
     */
    public static function site(
        string $path,
        ?string $pages = null,
        ?string $list = null,
        array $controllers = [NewsController::class, QuickController::class],
        ?Closure $connect = null,
        array $sessionCookies = ['PHPSESSID'],
        array $headers = [],
        ?Closure $store = null,
        bool $followed = false,
    ): Site {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $pages ?? $path . '/run/pages',
            list: $list ?? $path . '/list.php',
            controllers: $controllers,
            connect: $connect ?? static fn(): RecordingPdo => self::connect($path),
            urls: new Urls(areas: NewsSite::describe($path)->urls->areas),
            visitors: new Visitors(sessionCookies: $sessionCookies),
            serving: new Serving(headers: $headers, followed: $followed),
            limits: new Limits(bytes: 1 << 20, pageBytes: 1 << 16),
            operations: new Operations(store: $store, code: [\dirname(__DIR__, 3) . '/pages/tests/Support']),
        );
    }

    /** @param string $changes arguments of site(), as PHP */
    public function describe(string $changes): void
    {
        file_put_contents(
            $this->path . '/larder.php',
            \sprintf('<?php return %s::site(__DIR__, %s);', self::class, $changes),
        );
    }

    /**
     * Changes what the list of the release says of the code.
     *
     * @param Closure(array<string, string>): array<string, string> $change
     */
    public function relist(Closure $change): void
    {
        [$head, $text] = explode("\n", (string) file_get_contents($this->path . '/list.php'), 2);
        $files = $change(ListedFiles::from($text)->all());
        file_put_contents($this->path . '/list.php', $head . "\n" . ListedFiles::of($files)->text);
    }

    /** The database as another program opens it. */
    public function open(): PDO
    {
        return new PDO('sqlite:' . $this->path . '/data/site.sqlite');
    }

    /** Makes and stores a page of a site with these changes. */
    public function store(Site $site, string $uri): void
    {
        $database = Pages::of($site)->connect();
        Pages::of($site)->pageCache($database)->answer(
            new PageRequest('GET', $uri, false),
            NewsController::class,
            static function () use ($database): Response {
                $database->exec('SELECT id FROM news');

                return NewsSite::html('page');
            },
        );
    }

    /**
     * What `larder doctor` finds, in a process that has the extension and the segment.
     *
     * @param list<string>               $options
     * @param array<string, string|null> $settings of php.ini; null takes one away
     *
     * @return array{int, list<array{check: string, state: string, remedy: string|null}>}
     */
    public function doctor(array $options = [], array $settings = []): array
    {
        $words = [PHP_BINARY];
        $settings += $this->segment() + ['extension' => Extension::file(), 'sys_temp_dir' => $this->directory->path];
        foreach (array_filter($settings, is_string(...)) as $name => $value) {
            array_push($words, '-d', "$name=$value");
        }
        $process = new Process([
            ...$words,
            __DIR__ . '/../../bin/larder',
            'doctor',
            '--site=' . $this->path . '/larder.php',
            '--format=json',
            '--nginx=127.0.0.1:' . $this->running->port,
            ...$options,
        ]);
        $code = $process->run();
        /** @var array{checks: list<array{check: string, state: string, remedy: string|null}>} $said */
        $said = json_decode($process->getOutput(), true) ?? ['checks' => [
            ['check' => 'doctor', 'state' => 'failed', 'remedy' => $process->getOutput() . $process->getErrorOutput()],
        ]];

        return [$code, $said['checks']];
    }

    public function restore(): void
    {
        $this->copy('sound', 'site');
    }

    /** @param array<string, string> $startup settings that count when PHP starts */
    public function otherPhp(array $startup): PhpFpm
    {
        $directory = $this->directory->path . '/other-' . bin2hex(random_bytes(2));
        mkdir($directory . '/tmp', 0o777, true);

        return new PhpFpm($directory, Account::of(), 1, startup: $startup);
    }

    /** @return array<string, string> */
    public function segment(): array
    {
        return [
            'larder.directory' => $this->directory->path,
            'larder.name' => self::SEGMENT,
            'larder.size' => '2M',
        ];
    }

    public function remove(): void
    {
        $this->running->stop();
        $this->directory->remove();
    }

    private static function connect(string $path): RecordingPdo
    {
        $database = new RecordingPdo('sqlite:' . $path . '/data/site.sqlite', NewsSite::registry());
        $database->exec('PRAGMA synchronous = OFF');
        $database->exec('PRAGMA busy_timeout = 2000');

        return $database;
    }

    private function copy(string $from, string $to): void
    {
        $base = escapeshellarg($this->directory->path);
        exec("rm -rf $base/$to && cp -a $base/$from $base/$to");
        clearstatcache();
    }
}
