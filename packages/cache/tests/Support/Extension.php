<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Testbed\Process\Extension as BuiltExtension;
use PHPUnit\Framework\Assert;
use Symfony\Component\Process\Process;

/** The PHP extension as tools/extension builds it, for processes of a test's own. */
final readonly class Extension
{
    /**
     * A process of PHP with the extension. Marks the test as skipped where it is not built.
     *
     * @param array<string, string|int> $settings of php.ini
     */
    public static function process(array $settings, string ...$words): Process
    {
        $options = [];
        foreach (['extension' => self::file()] + $settings as $name => $value) {
            array_push($options, '-d', "$name=$value");
        }

        return new Process(
            [PHP_BINARY, ...$options, ...array_values($words)],
            env: ['LARDER_RERUN' => false],
            timeout: 600,
        );
    }

    /** The file. Marks the test as skipped where it is not built. */
    public static function file(): string
    {
        $file = BuiltExtension::built();
        if (!is_file($file)) {
            Assert::markTestSkipped('needs build/extension/larder.so: tools/extension build');
        }

        return $file;
    }

    /**
     * The output of a program, which has the library loaded and may not write to standard error.
     *
     * @param array<string, string|int> $settings of php.ini
     */
    public static function output(array $settings, string $program, string ...$arguments): string
    {
        $load = 'require ' . var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true) . ';';
        $process = self::process($settings, '-r', $load . $program, '--', ...$arguments);
        $code = $process->run();
        Assert::assertSame([0, ''], [$code, $process->getErrorOutput()], $process->getOutput());

        return $process->getOutput();
    }
}
