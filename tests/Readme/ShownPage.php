<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Assert;
use Symfony\Component\Process\Process;

/** A page of docs, whose PHP and commands run in a directory. A block of PHP has its file's name in its first line. */
final readonly class ShownPage
{
    private const ROOT = __DIR__ . '/../..';

    public string $text;

    /**
     * @param string                   $page   below the root of the checkout
     * @param array<array-key, string> $places what the page names, and what it is here
     * @param array<string, string>    $settings of the extension
     */
    public function __construct(
        string $page,
        private string $directory,
        private array $places = [],
        private array $settings = ['larder.size' => '4M', 'larder.name' => 'site'],
    ) {
        $this->text = self::read($page);
        if (!is_dir($directory . '/vendor')) {
            mkdir($directory . '/vendor');
            file_put_contents(
                $directory . '/vendor/autoload.php',
                '<?php require_once ' . var_export(realpath(self::ROOT . '/vendor/autoload.php'), true) . ';',
            );
        }
    }

    public static function read(string $page): string
    {
        return (string) file_get_contents(self::ROOT . '/' . $page);
    }

    /** @return array<string, string> its blocks of PHP by the names of their files, which they begin with */
    public function code(): array
    {
        preg_match_all('~^```php\n(// (\S+)\n.+?)^```$~ms', $this->text, $blocks);
        Assert::assertCount(substr_count($this->text, "\n```php\n"), $blocks[1], 'each block begins with its name');

        return array_combine($blocks[2], $blocks[1]);
    }

    /** What is typed prints what the page shows. */
    public function assertCommandsPrint(): void
    {
        preg_match_all('~^```(php|console)\n(.+?)^```$~ms', $this->text, $blocks, PREG_SET_ORDER);
        $all = substr_count($this->text, "\n```php\n") + substr_count($this->text, "\n```console\n");
        Assert::assertCount($all, $blocks);
        $shown = $happened = '';
        foreach ($blocks as [, $kind, $text]) {
            if ($kind === 'php') {
                $this->write($text);
                continue;
            }
            $shown .= $text;
            preg_match_all('~^\$ (.+)$~m', $text, $commands);
            foreach ($commands[1] as $command) {
                $happened .= "$ $command\n" . $this->output($command);
            }
        }
        Assert::assertNotSame('', $shown);
        Assert::assertSame($shown, $happened);
    }

    /** Each block of PHP prints what the page shows behind it. */
    public function assertExamplesPrint(): void
    {
        preg_match_all('~^```php\n(.+?)^```\n\n```text\n(.+?)^```$~ms', $this->text, $examples, PREG_SET_ORDER);
        Assert::assertCount(substr_count($this->text, "\n```php\n"), $examples, 'each example shows what it prints');
        Assert::assertNotEmpty($examples);
        foreach ($examples as [, $code, $shown]) {
            Assert::assertSame($shown, $this->output('php ' . $this->write($code)));
        }
    }

    /** Each line of a block that prints says in a comment what. */
    public function assertCommentsSayWhatIsPrinted(string $name): void
    {
        preg_match("~^```php\n(// $name\n.+?)^```$~ms", $this->text, $block);
        preg_match_all('~^echo .*// (.+)$~m', $block[1] ?? '', $comments);
        Assert::assertNotEmpty($comments[1]);
        $name = $this->write($block[1] ?? '');
        Assert::assertSame(implode("\n", $comments[1]) . "\n", $this->output("php $name"));
    }

    /** @return string the file's name, which is in the code's first line */
    public function write(string $code): string
    {
        Assert::assertSame(1, preg_match('~^// (\S+)\n~', $code, $name), 'each block begins with its name');
        file_put_contents($this->directory . '/' . $name[1], "<?php\n" . strtr($code, $this->places));

        return $name[1];
    }

    /** What a line prints, with what the page names in it. Errors are none. */
    public function output(string $command): string
    {
        $process = $this->shell($command)->mustRun();
        Assert::assertSame('', $process->getErrorOutput(), $command);
        if (preg_match('~^memcached .*-p (\d+)~', strtr($command, $this->places), $port) === 1) {
            for ($tries = 0; $tries < 500 && @fsockopen('127.0.0.1', (int) $port[1]) === false; ++$tries) {
                usleep(10_000);
            }
        }

        return strtr($process->getOutput(), array_flip($this->places));
    }

    /** A line, where `php` has the extension, and `larder` is the checkout's. */
    public function shell(string $command): Process
    {
        $php = Extension::process(['larder.directory' => $this->directory, ...$this->settings])->getCommandLine();
        $root = posix_geteuid() === 0 ? '-u root' : '';
        $larder = escapeshellarg(self::ROOT . '/packages/console/bin/larder');
        $functions = "php() { $php \"\$@\"; }; larder() { $php $larder \"\$@\"; }; "
            . "memcached() { command memcached $root \"\$@\"; }; ";

        return Process::fromShellCommandline(
            $functions . strtr($command, $this->places),
            $this->directory,
            timeout: 600,
        );
    }
}
