<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Exception\InvalidSite;
use Larder\Page\CompiledCode;
use Larder\Page\Manifest;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Proof\Support\NewsSite;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Over real php-fpm with the settings of OPcache that there are: no page of old code survives a deployment. */
#[CoversClass(CompiledCode::class)]
#[CoversClass(Manifest::class)]
final class ManifestTest extends TestCase
{
    /** php.ini by name. Each keeps, for a while or for ever, what it has compiled once. */
    private const SETTINGS = [
        'looks-at-times' => [
            'opcache.validate_timestamps' => '1',
            'opcache.revalidate_freq' => '600',
            'opcache.file_update_protection' => '0',
        ],
        'never-looks' => ['opcache.validate_timestamps' => '0', 'opcache.file_update_protection' => '0'],
        'same-time' => [
            'opcache.validate_timestamps' => '1',
            'opcache.revalidate_freq' => '0',
            'opcache.file_update_protection' => '0',
        ],
        'off' => ['opcache.enable' => '0'],
    ];

    private NewsSite $news;

    private Site $site;

    /** Of its own: it must not be given to the servers' user after the deployment. */
    private TemporaryDirectory $directory;

    private string $code;

    /** @var array<string, RunningSite> */
    private array $running = [];

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $path = $this->news->directory->path;
        $this->directory = new TemporaryDirectory();
        $this->code = $this->directory->path;
        $this->site = NewsSite::describe($path, code: [$this->code]);
        foreach (array_keys(self::SETTINGS) as $name) {
            $this->write("$name.php", '<?php echo "OLD";');
        }
        $autoload = var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true);
        $data = var_export($path, true);
        $this->write('front.php', <<<PHP
            <?php
            require {$autoload};
            \$view = __DIR__ . '/' . getenv('SETTINGS') . '.php';
            if (str_starts_with(\$_SERVER['REQUEST_URI'], '/warm')) {
                require \$view;
                return;
            }
            \$site = Larder\Proof\Support\NewsSite::describe({$data}, code: [__DIR__]);
            Larder\Page\Pages::of(\$site)->plainFront(Larder\Page\Pages::of(\$site)->connect())
                ->run(Larder\Proof\Support\NewsController::class, static function () use (\$view): void {
                    require \$view;
                });
            PHP);
    }

    protected function tearDown(): void
    {
        array_map(static fn(RunningSite $running) => $running->stop(), $this->running);
        $this->news->remove();
        $this->directory->remove();
    }

    public function testNoPageOfOldCodeSurvivesADeploymentWhateverOpcacheDoes(): void
    {
        Pages::of($this->site)->deploy('old');
        $this->start();
        foreach (array_keys($this->running) as $name) {
            self::assertSame('OLD', $this->get($name, '/warm')->body);
            self::assertSame('OLD', $this->get($name, '/warm')->body);
        }
        foreach (array_keys($this->running) as $name) {
            $before = (int) filemtime("$this->code/$name.php");
            $this->write("$name.php", '<?php echo "NEW";', $name === 'same-time' ? $before : null);
        }
        Pages::of($this->site)->deploy('new');
        // As after one that was killed: php-fpm has not been reloaded yet.
        Pages::of($this->site)->deploy('new-again');

        foreach ([
            'looks-at-times' => ['OLD', 'looks-at-times.php changed a moment ago'],
            'never-looks' => ['OLD', 'never-looks.php may have been compiled before it changed: reload php-fpm'],
            'same-time' => ['OLD', 'same-time.php may have been compiled before it changed: reload php-fpm'],
            'off' => ['NEW', 'fwd=miss; stored'],
        ] as $name => [$body, $status]) {
            $page = $this->get($name, "/$name/before");
            self::assertSame($body, $page->body, $name);
            self::assertStringContainsString($status, $page->header('Cache-Status') ?? '', $name);
            self::assertSame($body === 'NEW', $this->news->stores("/$name/before"), $name);
        }
        foreach ($this->running as $running) {
            $running->php->stop();
            $running->php->start();
        }
        foreach (array_keys($this->running) as $name) {
            $page = $this->get($name, "/$name/after");
            self::assertSame(['NEW', 'larder; fwd=miss; stored'], [$page->body, $page->header('Cache-Status')], $name);
        }
    }

    public function testCodeThatChangedAfterTheDeploymentStoresNothing(): void
    {
        Pages::of($this->site)->deploy('first');
        $this->start('off');
        self::assertStringEndsWith('stored', $this->get('off', '/a')->header('Cache-Status') ?? '');
        touch($this->code . '/off.php', 1_700_000_000);
        self::assertStringContainsString(
            'changed a moment ago',
            $this->get('off', '/b')->header('Cache-Status') ?? '',
            'It has the same content, but it is not sure that it had that when it was compiled.',
        );
        $this->write('off.php', '<?php echo "NEXT";');

        self::assertStringContainsString(
            '/off.php changed after larder deploy: run it again',
            $this->get('off', '/c')->header('Cache-Status') ?? '',
        );
        self::assertStringContainsString(
            '1 files of the code changed',
            (string) Pages::of($this->site)->release()?->mismatch($this->site),
        );
    }

    /** As it is copied from a host with the code elsewhere, or read by code of another release's directory. */
    public function testAListOfOtherPathsStoresNothing(): void
    {
        $support = \dirname(__DIR__, 3) . '/proof/support';
        $site = NewsSite::describe($this->news->directory->path, code: [$this->code, $support]);
        Pages::of($site)->deploy('elsewhere');
        $this->start('off');
        self::assertStringEndsWith('stored', $this->get('off', '/a')->header('Cache-Status') ?? '');
        $list = (string) file_get_contents($site->list);
        self::assertStringContainsString($support, $list);
        file_put_contents($site->list, str_replace($support, '/elsewhere', $list));

        self::assertStringContainsString(
            'another file than the one that runs: run larder deploy where this code is',
            $this->get('off', '/b')->header('Cache-Status') ?? '',
        );
        self::assertFalse($this->news->stores('/b'));
    }

    public function testAReleaseThatIsDeployedIsNotDeployedAgain(): void
    {
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('release "r1" is deployed already');

        Pages::of($this->news->site)->deploy('r1');
    }

    private function start(string ...$names): void
    {
        $path = $this->news->directory->path;
        foreach ($names === [] ? array_keys(self::SETTINGS) : $names as $name) {
            $this->running[$name] = RunningSite::start(
                $this->site,
                "$path/$name",
                $this->code . '/front.php',
                workers: 1,
                environment: ['SETTINGS' => $name],
                writable: [$path],
                startup: self::SETTINGS[$name],
            );
        }
    }

    private function get(string $name, string $uri): Response
    {
        return Connection::fetch($this->running[$name]->url . $uri);
    }

    private function write(string $file, string $content, ?int $mtime = null): void
    {
        file_put_contents($this->code . '/' . $file, $content);
        touch($this->code . '/' . $file, $mtime ?? time());
    }
}
