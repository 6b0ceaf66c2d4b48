<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Docs;

use Larder\Bench\Result\CellState;
use Larder\Bench\Tests\Run\BenchRun;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Runs what docs/how-to/measure.md tells its reader to write, and looks whether the commands it names are there. */
#[CoversNothing]
final class MeasureGuideTest extends TestCase
{
    private const GUIDE = __DIR__ . '/../../../docs/how-to/measure.md';

    public function testMeasuresTheClientOfTheGuide(): void
    {
        self::assertSame(
            1,
            preg_match('/```php\n\/\/ subjects\.php\n(.*?)```/s', (string) file_get_contents(self::GUIDE), $code),
        );
        $bench = new BenchRun();
        $subjects = $bench->file . '.php';
        try {
            file_put_contents($subjects, "<?php\n" . $code[1]);
            $process = $bench->command([
                'run',
                '--tests=keys',
                '--clients=notes:file:array',
                '--subjects=' . $subjects,
                '--workers=1',
                '--blocks=6',
                '--window=0.05',
                '--force',
                '--out=' . $bench->file,
            ]);

            self::assertSame(0, $process->getExitCode(), $process->getErrorOutput());
            self::assertSame(CellState::Measured, $bench->document()->chart('keys?workers=1')?->cell('notes')?->state);
        } finally {
            @unlink($subjects);
            $bench->remove();
        }
    }

    public function testNamesOnlyOptionsThatThereAre(): void
    {
        preg_match_all(
            '/^    bench\/bin\/larder-bench (\w+)((?:.*\\\\\n)*.*)$/m',
            (string) file_get_contents(self::GUIDE),
            $lines,
            PREG_SET_ORDER,
        );
        self::assertNotSame([], $lines);
        $bench = new BenchRun();
        foreach ($lines as [, $command, $arguments]) {
            $help = $bench->command([$command, '--help'])->getOutput();
            preg_match_all('/--([a-z-]+)/', $arguments, $options);
            foreach ($options[0] as $option) {
                self::assertStringContainsString($option, $help, $command);
            }
        }
        $bench->remove();
    }
}
