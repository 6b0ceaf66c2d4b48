<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Subject\Local\LocalSubjects;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** With an extension that PHP's package has beside it: which one does not matter here. */
#[CoversClass(LocalSubjects::class)]
final class LoadedExtensionTest extends TestCase
{
    private const NAME = 'sysvmsg';

    private string $module;

    protected function setUp(): void
    {
        $this->module = \ini_get('extension_dir') . '/' . self::NAME . '.so';
        if (!is_file($this->module)) {
            self::markTestSkipped('needs ' . $this->module);
        }
    }

    public function testNamesTheFileOfWhatACommandLineLoaded(): void
    {
        self::assertSame(['extension' => $this->module], $this->ask('-n', '-d', 'extension=' . $this->module));
        self::assertSame(['extension' => $this->module], $this->ask('-n', '-d', 'extension=' . self::NAME));
    }

    public function testIsSilentAboutWhatIsNotLoadedOrComesAnyway(): void
    {
        self::assertSame([], $this->ask('-n'));
        foreach (['extension=%s', ' extension = "%s.so" ; a comment', 'extension=/usr/lib/php/%s.so'] as $line) {
            $file = (string) tempnam(sys_get_temp_dir(), 'ini');
            file_put_contents($file, "; extension=nothing\n" . \sprintf($line, self::NAME) . "\n");
            $answer = $this->ask('-c', $file, '-d', 'extension=' . $this->module);
            unlink($file);
            self::assertSame([], $answer, $line);
        }
    }

    /** @return array<mixed> what a process with these options answers */
    private function ask(string ...$options): array
    {
        $code = \sprintf(
            'require %s; echo "\n", json_encode(Larder\Bench\Subject\Local\LocalSubjects::loaded(%s));',
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export(self::NAME, true),
        );
        $lines = [];
        exec(
            'PHP_INI_SCAN_DIR= '
                . implode(
                    ' ',
                    array_map(
                        escapeshellarg(...),
                        [PHP_BINARY, ...array_values($options), '-d', 'display_startup_errors=0', '-r', $code],
                    ),
                )
                . ' 2>/dev/null',
            $lines,
        );
        $answer = json_decode($lines === [] ? '' : $lines[\count($lines) - 1], true);

        return \is_array($answer) ? $answer : ['no answer' => $lines];
    }
}
