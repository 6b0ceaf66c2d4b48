<?php

declare(strict_types=1);

namespace Larder\Testbed;

use RuntimeException;

/**
 * A directory of its own, in memory where the machine has that.
 *
 * It goes when this process ends, even by exit() in a signal handler. A forked child leaves it alone.
 */
final readonly class TemporaryDirectory
{
    public string $path;

    /** @param string|null $parent null: memory, or the system's directory for temporary files */
    public function __construct(string $name = 'larder-test', ?string $parent = null)
    {
        $parent ??= is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir();
        $this->path = $path = $parent . '/' . $name . '-' . bin2hex(random_bytes(8));
        if (!mkdir($path)) {
            throw new RuntimeException("Cannot make the directory $path.");
        }
        $owner = getmypid();
        register_shutdown_function(static function () use ($path, $owner): void {
            if (getmypid() === $owner && is_dir($path)) {
                self::erase($path);
            }
        });
    }

    public function remove(): void
    {
        if (is_dir($this->path)) {
            self::erase($this->path);
        }
    }

    /** @return list<string> every file below the directory, by path relative to it, sorted */
    public function files(string $below = ''): array
    {
        clearstatcache();
        $found = [];
        $waiting = [$below];
        while ($waiting !== []) {
            $directory = array_pop($waiting);
            $names = @scandir($this->path . '/' . $directory, SCANDIR_SORT_NONE);
            foreach (array_diff($names === false ? [] : $names, ['.', '..']) as $name) {
                $path = ltrim($directory . '/' . $name, '/');
                $whole = $this->path . '/' . $path;
                if (is_dir($whole) && !is_link($whole)) {
                    $waiting[] = $path;
                } else {
                    $found[] = $path;
                }
            }
        }
        sort($found);

        return $found;
    }

    private static function erase(string $path): void
    {
        exec('rm -rf ' . escapeshellarg($path));
        clearstatcache();
    }
}
