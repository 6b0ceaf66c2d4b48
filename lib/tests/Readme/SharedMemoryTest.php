<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Proof\Support\Extension;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Does what docs/tutorial/shared-memory.md says, and compares what it shows; keeps the reference at the extension's
 * word.
 */
#[CoversNothing]
final class SharedMemoryTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        mkdir($this->directory->path . '/vendor');
        file_put_contents(
            $this->directory->path . '/vendor/autoload.php',
            '<?php require ' . var_export(realpath(self::ROOT . '/vendor/autoload.php'), true) . ';',
        );
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheTutorialShowsWhatHappens(): void
    {
        $tutorial = self::page('tutorial/shared-memory.md');
        preg_match_all('~^```(php|console)\n(.+?)^```$~ms', $tutorial, $blocks, PREG_SET_ORDER);
        self::assertCount(substr_count($tutorial, "\n```php\n") + substr_count($tutorial, "\n```console\n"), $blocks);
        $shown = $happened = '';
        foreach ($blocks as [, $kind, $text]) {
            if ($kind === 'php') {
                self::assertSame(1, preg_match('~^// (\S+)\n~', $text, $name), 'each block starts with its file name');
                file_put_contents($this->directory->path . '/' . $name[1], "<?php\n" . $text);
                continue;
            }
            $shown .= $text;
            preg_match_all('~^\$ (.+)$~m', $text, $commands);
            foreach ($commands[1] as $command) {
                $happened .= "$ $command\n" . $this->shell($command)->mustRun()->getOutput();
            }
        }

        self::assertSame($shown, $happened);
    }

    public function testOneOfManyComputesTheReport(): void
    {
        preg_match('~^```php\n(// report\.php\n.+?)^```$~ms', self::page('tutorial/shared-memory.md'), $block);
        file_put_contents($this->directory->path . '/report.php', "<?php\n" . ($block[1] ?? ''));
        $processes = array_map(fn(): Process => $this->shell('php report.php'), range(1, 6));
        array_map(static fn(Process $process) => $process->start(), $processes);
        $output = implode(
            '',
            array_map(
                static fn(Process $process): string => $process->wait() . ' ' . $process->getOutput(),
                $processes,
            ),
        );

        self::assertSame([1, 6], [substr_count($output, 'computing'), substr_count($output, "7\n")], $output);
    }

    public function testTheGuideToWorkersTellsWhatAWorkerSees(): void
    {
        $guide = self::page('how-to/workers-and-threads.md');
        self::assertSame(1, preg_match('~^```php\n(// where\.php\n.+?)^```$~ms', $guide, $code));
        self::assertSame(1, preg_match('~^```text\n(.+?)^```$~ms', $guide, $shown));
        file_put_contents($this->directory->path . '/where.php', "<?php\n" . $code[1]);

        self::assertSame($shown[1], $this->shell('php where.php')->mustRun()->getOutput());
    }

    public function testTheSettingsOfTheTutorialAreSettings(): void
    {
        preg_match_all('~^```ini\n(.+?)^```$~ms', self::page('tutorial/shared-memory.md'), $blocks);
        $settings = parse_ini_string(implode("\n", $blocks[1]));
        self::assertIsArray($settings);
        self::assertNotEmpty($settings);

        self::assertSame([], array_diff(array_keys($settings), array_keys(self::settings())));
    }

    public function testTheReferenceSaysWhatTheStubSays(): void
    {
        $check = new Process([PHP_BINARY, '-n', self::ROOT . '/tools/reference-docs', '--check']);

        self::assertSame(0, $check->run(), $check->getErrorOutput());
    }

    public function testTheReferenceHasEverySettingWithItsDefault(): void
    {
        preg_match_all(
            '~^\| `(larder\.\w+)` \| (?:`([^`]*)`|empty) \|~m',
            self::page('reference/shared-memory.md') . self::page('reference/memcached.md'),
            $rows,
        );
        $documented = array_combine($rows[1], $rows[2]);
        $settings = self::settings();
        ksort($documented);
        ksort($settings);

        self::assertSame($settings, $documented);
    }

    public function testLinksLeadToPages(): void
    {
        foreach (['tutorial', 'reference', 'explanation'] as $kind) {
            preg_match_all('~\]\(([^)#]+)(?:#[^)]*)?\)~', self::page("$kind/shared-memory.md"), $links);
            foreach ($links[1] as $link) {
                self::assertFileExists(self::ROOT . "/docs/$kind/$link");
            }
        }
    }

    /** @return array<array-key, string> what the extension starts with when nobody set anything */
    private static function settings(): array
    {
        $program = 'echo json_encode(array_map(strval(...), ini_get_all("larder", false)));';
        $settings = json_decode(Extension::output([], $program), true);
        self::assertIsArray($settings);

        return array_map(static fn(mixed $value): string => \is_string($value) ? $value : '?', $settings);
    }

    /** A line of the tutorial, where `php` has the extension and the segment, and `larder` is the checkout's. */
    private function shell(string $command): Process
    {
        $php = Extension::process([
            'larder.directory' => $this->directory->path,
            'larder.size' => '4M',
        ])->getCommandLine();
        $functions = "php() { $php -d larder.name=site \"\$@\"; }; larder() { $php "
            . escapeshellarg(self::ROOT . '/lib/bin/larder') . ' "$@"; }; ';

        return Process::fromShellCommandline($functions . $command, $this->directory->path, timeout: 600);
    }

    private static function page(string $path): string
    {
        return (string) file_get_contents(self::ROOT . '/docs/' . $path);
    }
}
