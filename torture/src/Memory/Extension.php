<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use RuntimeException;

/** The built extension, and how PHP is started with it. */
final readonly class Extension
{
    private const BUILT = '/build/extension';
    private const NEEDED = ['pcntl', 'posix', 'shmop'];

    private function __construct(public string $file) {}

    /**
     * @param string|null $file  null: the one that tools/extension builds
     * @param bool        $debug whether it must have fault points and the switches for tests
     */
    public static function at(?string $file, bool $debug = false): self
    {
        $file ??= \dirname(__DIR__, 3) . self::BUILT . ($debug ? '/debug' : '') . '/larder.so';
        $path = realpath($file);
        if ($path === false) {
            throw new RuntimeException(\sprintf('There is no %s: tools/extension build %s makes it.', $file, $debug ? 'debug' : 'release'));
        }

        $extension = new self($path);
        exec(implode(' ', array_map(escapeshellarg(...), [...$extension->php([]), '-r', 'exit(extension_loaded("larder") ? 0 : 1);'])) . ' 2>&1', $said, $code);

        return $code === 0 ? $extension : throw new RuntimeException("PHP cannot load $path: " . implode(' ', $said));
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
     * A PHP without php.ini and with no other extension than the torture needs: it forks several times as fast.
     *
     * @param array<string, string> $ini
     *
     * @return non-empty-list<string>
     */
    public function barePhp(array $ini): array
    {
        exec(escapeshellarg(PHP_BINARY) . " -n -r 'echo implode(PHP_EOL, get_loaded_extensions());'", $builtIn);
        $command = [PHP_BINARY, '-n'];
        foreach (array_diff(self::NEEDED, $builtIn) as $name) {
            $command = [...$command, ...self::settings(['extension' => $name])];
        }

        return [...$command, ...self::settings(['extension' => $this->file, ...$ini])];
    }

    /** The torture program itself with the extension loaded. */
    public static function script(): string
    {
        return \dirname(__DIR__, 2) . '/bin/torture';
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
