<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * What docs/how-to/deploy.md and several-hosts.md say of pods with page directories of their own, on the example: a pod
 * has the directory, the next one finds none.
 */
#[CoversNothing]
final class ContainersGuideTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    private TemporaryDirectory $directory;

    private string $pages;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-containers');
        $site = $this->directory->path . '/site';
        $this->pages = $this->directory->path . '/pages';
        (new Process(['cp', '-r', self::ROOT . '/example', $site]))->mustRun();
        (new Process(['rm', '-rf', "$site/var", "$site/vendor"]))->mustRun();
        mkdir("$site/var");
        mkdir("$site/vendor");
        $autoload = var_export(realpath(self::ROOT . '/vendor/autoload.php'), true);
        file_put_contents("$site/vendor/autoload.php", "<?php\nreturn require $autoload;\n");
        $described = (string) file_get_contents("$site/larder.php");
        self::assertSame(1, preg_match('~^sed -i "s#(.+)#(.+)#" larder.php$~m', self::guide('deploy.md'), $words));
        self::assertStringContainsString($words[1], $described);
        $described = str_replace($words[1], var_export($this->pages, true), $described);
        file_put_contents("$site/larder.php", $described);
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testAPodTakesOverFromOneThatIsGone(): void
    {
        $guide = self::guide('deploy.md');
        self::assertSame(
            1,
            preg_match('~^When the pod starts, .+?```console\nphp schema.php\n(.+?)\n~ms', $guide, $start),
        );
        self::assertSame(
            1,
            preg_match('~^Without `--take` .+?```text\n(.+?)\n```~ms', $guide, $refusal),
        );
        $without = str_replace(' --take', '', $start[1]);
        self::assertNotSame($without, $start[1]);
        $this->type('php schema.php');
        self::assertSame(0, $this->type($start[1])->getExitCode());
        self::assertTrue($this->isStored());

        rename($this->pages, $this->pages . '-of-the-first');
        $refused = $this->type($without);
        self::assertSame(1, $refused->getExitCode());
        $said = (string) preg_replace('/\s+/', ' ', $refused->getErrorOutput() . $refused->getOutput());
        self::assertStringContainsString(str_replace('/run/larder/pages', $this->pages, $refusal[1]), $said);
        self::assertStringContainsString('larder deploy --take', $said);
        self::assertFalse($this->isStored());
        self::assertSame(0, $this->type($start[1])->getExitCode());
        self::assertTrue($this->isStored());
        // The next pod has the same volume.
        self::assertSame(0, $this->type($without)->getExitCode());
        self::assertTrue($this->isStored());

        rename($this->pages, $this->pages . '-of-the-second');
        rename($this->pages . '-of-the-first', $this->pages);
        self::assertNotSame(0, $this->type('php rename.php')->getExitCode());
        $database = new PDO("sqlite:{$this->directory->path}/site/var/data/news.sqlite");
        $title = $database->query('SELECT title FROM news WHERE id = 4');
        self::assertNotFalse($title);
        self::assertSame('Old title', $title->fetchColumn());
    }

    public function testADirectoryOnADiskIsEmptiedAndStaysTheSame(): void
    {
        self::assertSame(1, preg_match('~`(find /srv/pages .+?)`~', self::guide('production.md'), $empty));
        $this->type('php schema.php');
        $this->type('vendor/bin/larder deploy');
        self::assertTrue($this->isStored());
        $identity = file_get_contents($this->pages . '/identity');
        self::assertSame(0, $this->type(str_replace('/srv/pages', $this->pages, $empty[1]))->getExitCode());
        self::assertSame(['.', '..', 'identity'], scandir($this->pages));
        self::assertSame(0, $this->type('php rename.php')->getExitCode());
        $this->isStored();
        self::assertTrue($this->isStored());
        self::assertSame($identity, file_get_contents($this->pages . '/identity'));
    }

    private static function guide(string $name): string
    {
        return (string) file_get_contents(self::ROOT . '/docs/how-to/' . $name);
    }

    /** Whether a request for a page leaves it in the directory. */
    private function isStored(): bool
    {
        $request = <<<'PHP'
            $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/news/4', 'HTTP_HOST' => 'localhost',
                'LARDER_PAGE' => '/news/4', 'SCRIPT_NAME' => '/index.php'] + $_SERVER;
            require 'public/index.php';
            PHP;
        $answer = $this->type('php -r ' . escapeshellarg($request))->getOutput();
        self::assertStringContainsString('<h1>', $answer);

        return is_file($this->pages . '/current/news/4~page');
    }

    private function type(string $command): Process
    {
        $php = escapeshellarg(PHP_BINARY);
        $larder = $php . ' ' . escapeshellarg(realpath(self::ROOT) . '/packages/console/bin/larder');
        $line = (string) preg_replace(['~^vendor/bin/larder~', '~^php ~'], [$larder, $php . ' '], $command);
        $process = Process::fromShellCommandline($line, $this->directory->path . '/site');
        $process->run();

        return $process;
    }
}
