<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use RuntimeException;

/** The built extension and the commands that start a PHP with it. */
final readonly class Extension
{
    /** Where tools/extension builds it; below `debug` with fault points and switches for tests. */
    private const BUILT = '/build/extension';

    private const NEEDED = ['pcntl', 'posix', 'shmop'];

    private function __construct(public string $file) {}

    /**
     * @param string|null $file  null: the one that tools/extension builds
     * @param bool        $debug whether that one must have fault points and the switches for tests
     */
    public static function at(?string $file, bool $debug = false): self
    {
        $file ??= self::built($debug);
        $path = realpath($file);
        if ($path === false) {
            $build = $debug ? 'debug' : 'release';
            throw new RuntimeException("There is no $file: tools/extension build $build makes it.");
        }

        $extension = new self($path);
        $test = [...$extension->php([]), '-r', 'exit(extension_loaded("larder") ? 0 : 1);'];
        exec(implode(' ', array_map(escapeshellarg(...), $test)) . ' 2>&1', $said, $code);

        if ($code !== 0) {
            throw new RuntimeException("PHP cannot load $path: " . implode(' ', $said));
        }

        return $extension;
    }

    /** The file that tools/extension builds, which need not be there. */
    public static function built(bool $debug = false): string
    {
        return \dirname(__DIR__, 3) . self::BUILT . ($debug ? '/debug' : '') . '/larder.so';
    }

    /**
     * @param array<string, string> $ini
     *
     * @return non-empty-list<string> a command that takes a script or -r
     */
    public function php(array $ini): array
    {
        return [PHP_BINARY, ...self::settings(['extension' => $this->file, ...$ini])];
    }

    /**
     * A PHP without php.ini and without other extensions, so that it forks several times as fast.
     *
     * @param array<string, string> $ini
     *
     * @return non-empty-list<string>
     */
    public function barePhp(array $ini): array
    {
        return [...self::bare(...self::NEEDED), ...self::settings(['extension' => $this->file, ...$ini])];
    }

    /**
     * @return non-empty-list<string> a command for PHP without php.ini, with the extensions named and those built in
     */
    public static function bare(string ...$extensions): array
    {
        exec(escapeshellarg(PHP_BINARY) . " -n -r 'echo implode(PHP_EOL, get_loaded_extensions());'", $builtIn);
        $command = [PHP_BINARY, '-n'];
        foreach (array_diff($extensions, $builtIn) as $name) {
            $command = [...$command, ...self::settings(['extension' => $name])];
        }

        return $command;
    }

    /**
     * @param array<string, string> $ini
     *
     * @return list<string>
     */
    private static function settings(array $ini): array
    {
        $settings = [];
        foreach ($ini as $name => $value) {
            $settings[] = '-d';
            $settings[] = $name . '=' . $value;
        }

        return $settings;
    }
}
