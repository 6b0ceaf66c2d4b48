<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Result\CellState;
use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Local\SharedMemory;
use Larder\Bench\Tests\Run\BenchRun;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * The subject with the extension, in processes of its own: its modes are settings of php.ini. What it must do as a
 * store is in Contract.
 */
#[CoversClass(SharedMemory::class)]
final class SharedMemoryTest extends TestCase
{
    protected function setUp(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs php -d extension=build/extension/larder.so');
        }
    }

    public function testAWindowHasTheModeThatItsNameSays(): void
    {
        foreach (['shared-memory', 'shared-memory-copy'] as $id) {
            self::assertSame('connected', $this->inProcess($id, 'echo "connected";'));
            self::assertStringContainsString(
                'its mode is',
                $this->inProcess($id, 'echo "connected";', ['larder.share' => $id === 'shared-memory' ? '0' : '1']),
            );
        }
    }

    public function testShareModeSaysThatItIsNotForWritingForEver(): void
    {
        $code = '$value = str_repeat("v", 20_000); $subject->set("k", $value); $held = $subject->get("k");'
            . 'for ($i = 0; $i < 10_000; ++$i) { $subject->set("k" . $i % 4, $value); } echo "all done";';

        self::assertStringContainsString(
            'NotApplicable: in share mode',
            $this->inProcess('shared-memory', $code, ['larder.size' => '8M']),
        );
        self::assertSame('all done', $this->inProcess('shared-memory-copy', $code, ['larder.size' => '8M']));
    }

    public function testARunMeasuresWhatItsOwnProcessHasLoaded(): void
    {
        $bench = new BenchRun();
        try {
            foreach (['memory_get:memory_bytes' => true, 'memory_bytes' => false] as $tests => $loaded) {
                $options = [
                    '--tests=' . $tests,
                    '--clients=shared-memory:apcu',
                    '--blocks=6',
                    '--window=0.05',
                    '--force',
                    '--out=' . $bench->file,
                ];
                $process = new Process(
                    [
                        PHP_BINARY,
                        ...($loaded ? $this->extension() : []),
                        __DIR__ . '/../../bin/larder-bench',
                        'run',
                        ...$options,
                    ],
                    timeout: 240,
                );
                $process->run();

                self::assertSame(0, $process->getExitCode(), $process->getErrorOutput() . $process->getOutput());
                $chart = $bench->document()->chart('memory_bytes?value=int');
                self::assertSame(CellState::Measured, $chart?->cell('apcu')?->state);
                $cell = $chart->cell('shared-memory');
                self::assertSame(
                    $loaded ? CellState::Measured : CellState::Absent,
                    $cell?->state,
                    (string) $cell?->error,
                );
                self::assertSame($loaded ? null : 'PHP has no extension larder', $cell->error);
                self::assertSame($loaded ? 0.0 : null, $cell->extra['request heap of a get, bytes'] ?? null);
            }
        } finally {
            $bench->remove();
        }
    }

    /** @return list<string> */
    private function extension(): array
    {
        $ini = Catalogue::standard()->get('shared-memory')->ini;

        return isset($ini['extension']) ? ['-d', 'extension=' . $ini['extension']] : [];
    }

    /**
     * @param array<string, string> $ini instead of the subject's
     *
     * @return string what it printed; of an exception the class's last word and the message
     */
    private function inProcess(string $id, string $code, array $ini = []): string
    {
        $command = [PHP_BINARY];
        foreach ([...Catalogue::standard()->get($id)->ini, ...$ini] as $name => $value) {
            array_push($command, '-d', $name . '=' . $value);
        }
        $code = \sprintf(
            'require %s; try { $subject = (Larder\Bench\Subject\Catalogue::standard()->get(%s)->make)(); '
                . '$subject->connect(new Larder\Bench\Subject\Context([], "/nowhere")); %s } catch (Throwable $e) { '
                . 'echo (new ReflectionClass($e))->getShortName(), ": ", $e->getMessage(); }',
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export($id, true),
            $code,
        );
        $process = new Process([...$command, '-r', $code], timeout: 600);
        $process->run();

        return trim($process->getOutput() . $process->getErrorOutput());
    }
}
