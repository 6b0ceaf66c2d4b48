<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
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
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testOneOfManyComputesTheReport(): void
    {
        $tutorial = new ShownPage('docs/tutorial/shared-memory.md', $this->directory->path);
        $tutorial->write($tutorial->code()['report.php'] ?? '');
        $processes = array_map(static fn(): Process => $tutorial->shell('php report.php'), range(1, 6));
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
        $guide = new ShownPage('docs/how-to/workers-and-threads.md', $this->directory->path);
        self::assertSame(1, preg_match('~^```text\n(.+?)^```$~ms', $guide->text, $shown));
        preg_match('~^```php\n(// where\.php\n.+?)^```$~ms', $guide->text, $code);

        self::assertSame($shown[1], $guide->output('php ' . $guide->write($code[1] ?? '')));
    }

    public function testTheSettingsOfTheTutorialAreSettings(): void
    {
        preg_match_all('~^```ini\n(.+?)^```$~ms', ShownPage::read('docs/tutorial/shared-memory.md'), $blocks);
        $settings = parse_ini_string(implode("\n", $blocks[1]));
        self::assertIsArray($settings);
        self::assertNotEmpty($settings);

        self::assertSame([], array_diff(array_keys($settings), array_keys(self::settings())));
    }

    public function testTheReferenceHasEverySettingWithItsDefault(): void
    {
        preg_match_all(
            '~^\| `(larder\.\w+)` \| (?:`([^`]*)`|empty) \|~m',
            ShownPage::read('docs/reference/shared-memory.md') . ShownPage::read('docs/reference/memcached.md'),
            $rows,
        );
        $documented = array_combine($rows[1], $rows[2]);
        $settings = self::settings();
        ksort($documented);
        ksort($settings);

        self::assertSame($settings, $documented);
    }

    /** @return array<array-key, string> what the extension starts with when nobody set anything */
    private static function settings(): array
    {
        $program = 'echo json_encode(array_map(strval(...), ini_get_all("larder", false)));';
        $settings = json_decode(Extension::output([], $program), true);
        self::assertIsArray($settings);

        return array_map(static fn(mixed $value): string => \is_string($value) ? $value : '?', $settings);
    }

}
