<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\DocumentFile;
use RuntimeException;
use Symfony\Component\Process\Process;

/** The program itself, run as a user runs it. */
final class BenchRun
{
    private const PROGRAM = __DIR__ . '/../../bin/larder-bench';

    public const SUBJECTS = __DIR__ . '/../fixtures/subjects.php';

    public readonly string $file;

    public function __construct()
    {
        $file = tempnam(sys_get_temp_dir(), 'bench-test-');
        $this->file = $file === false ? throw new RuntimeException('no temporary file') : $file;
    }

    public function remove(): void
    {
        @unlink($this->file);
    }

    /** @param list<string> $options */
    public function start(array $options): Process
    {
        $process = $this->process([
            'run',
            '--out=' . $this->file,
            '--force',
            '--subjects=' . self::SUBJECTS,
            ...$options,
        ]);
        $process->start();

        return $process;
    }

    /** @param list<string> $options */
    public function run(array $options): Process
    {
        $process = $this->start($options);
        $process->wait();

        return $process;
    }

    /** @param list<string> $arguments */
    public function command(array $arguments): Process
    {
        $process = $this->process($arguments);
        $process->run();

        return $process;
    }

    public function document(): Document
    {
        return DocumentFile::load($this->file);
    }

    /** @param list<string> $arguments */
    private function process(array $arguments): Process
    {
        $process = new Process([PHP_BINARY, self::PROGRAM, ...$arguments]);
        $process->setTimeout(600);

        return $process;
    }
}
