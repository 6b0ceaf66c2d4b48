<?php

declare(strict_types=1);

namespace Larder\Testbed;

use Larder\Page\LocalFiles;

/** A directory of one test's own, in memory where the machine has it. */
final readonly class TemporaryDirectory
{
    public string $path;

    public function __construct()
    {
        $parent = is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir();
        $this->path = $parent . '/larder-test-' . bin2hex(random_bytes(8));
        mkdir($this->path);
    }

    public function remove(): void
    {
        $this->empty($this->path);
        rmdir($this->path);
    }

    /** @return list<string> every file below the directory, by path relative to it, sorted */
    public function files(string $below = ''): array
    {
        $found = [];
        $files = new LocalFiles();
        $waiting = [$below];
        while ($waiting !== []) {
            $directory = array_pop($waiting);
            foreach ($files->entries($this->path . '/' . $directory) as $name => $isDirectory) {
                $path = ltrim($directory . '/' . $name, '/');
                if ($isDirectory) {
                    $waiting[] = $path;
                } else {
                    $found[] = $path;
                }
            }
        }
        sort($found);

        return $found;
    }

    private function empty(string $directory): void
    {
        $files = new LocalFiles();
        foreach ($files->entries($directory) as $name => $isDirectory) {
            if ($isDirectory) {
                $this->empty($directory . '/' . $name);
                rmdir($directory . '/' . $name);
            } else {
                unlink($directory . '/' . $name);
            }
        }
    }
}
