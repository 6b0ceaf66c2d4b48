<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\TortureCommand;
use Larder\Testbed\Process\Extension;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** Runs `torture` as a program of its own. */
final class Runs
{
    /** @return array<array-key, mixed> what it has found, as JSON shows it */
    public static function found(string ...$arguments): array
    {
        $process = self::process('--format=json', ...array_values($arguments));
        $process->run();
        $found = json_decode($process->getOutput(), true);

        return \is_array($found) ? $found : TestCase::fail($process->getErrorOutput() . $process->getOutput());
    }

    public static function process(string ...$arguments): Process
    {
        try {
            Extension::at(null);
        } catch (RuntimeException $exception) {
            TestCase::markTestSkipped('needs the extension: ' . $exception->getMessage());
        }
        $options = array_filter($arguments, static fn(string $word): bool => str_starts_with($word, '--'));
        $words = [...array_values(array_diff_key($arguments, $options)), ...array_values($options)];

        return new Process([PHP_BINARY, TortureCommand::script(), ...$words], timeout: 600.0);
    }
}
