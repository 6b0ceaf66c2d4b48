<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\InvalidCode;

/**
 * The files of a directory that is to become a release.
 *
 * @internal
 */
final readonly class SourceTree
{
    private string $directory;

    /**
     * @param list<string> $exclude paths or patterns of fnmatch(), against the path and against each name in it
     *
     * @throws InvalidCode if there is no such directory
     */
    public function __construct(string $directory, private array $exclude = [])
    {
        $path = realpath($directory);
        if ($path === false || !is_dir($path)) {
            throw InvalidCode::because("There is no directory $directory");
        }
        $this->directory = $path;
    }

    /**
     * @return non-empty-list<array{string, string|null}> sorted by path: the path, and where a link leads; null: a file
     *
     * @throws InvalidCode if something in it can be in no release; the message names it
     */
    public function entries(): array
    {
        $found = [];
        $waiting = [''];
        while (($below = array_pop($waiting)) !== null) {
            foreach ($this->names($below) as $name) {
                $path = $below . $name;
                if ($this->isExcluded($path, $name)) {
                    continue;
                }
                $objection = Paths::objection($path);
                if ($objection !== null) {
                    throw InvalidCode::because("$path cannot be in a release: it $objection");
                }
                $whole = $this->directory . '/' . $path;
                if (is_link($whole)) {
                    $found[] = [$path, $this->target($path, $whole)];
                } elseif (is_dir($whole)) {
                    $waiting[] = $path . '/';
                } elseif (is_file($whole)) {
                    $found[] = [$path, null];
                } else {
                    throw InvalidCode::because("$path cannot be in a release: it is no file, link or directory");
                }
            }
        }
        if ($found === []) {
            throw InvalidCode::because("There are no files in {$this->directory}");
        }
        usort($found, static fn(array $one, array $other): int => strcmp($one[0], $other[0]));

        return $found;
    }

    /** @throws CodeFailed */
    public function read(string $path): string
    {
        $bytes = @file_get_contents($this->directory . '/' . $path);

        return $bytes === false ? throw CodeFailed::during('read', $this->directory . '/' . $path) : $bytes;
    }

    /** Without the rights to write of others than the owner. */
    public function mode(string $path): int
    {
        return (int) fileperms($this->directory . '/' . $path) & 0o755;
    }

    /** @return list<string> */
    private function names(string $below): array
    {
        $names = @scandir($this->directory . '/' . $below, SCANDIR_SORT_NONE);
        if ($names === false) {
            throw CodeFailed::during('list', $this->directory . '/' . $below);
        }

        return array_values(array_diff($names, ['.', '..']));
    }

    private function isExcluded(string $path, string $name): bool
    {
        foreach ($this->exclude as $pattern) {
            if (fnmatch($pattern, $path) || fnmatch($pattern, $name)) {
                return true;
            }
        }

        return false;
    }

    private function target(string $path, string $whole): string
    {
        $target = (string) readlink($whole);
        $objection = Paths::objectionToLink($path, $target);
        if ($objection !== null) {
            throw InvalidCode::because(
                "The link $path cannot be in a release: it $objection. Replace it by what it leads to, or --exclude it",
            );
        }

        return $target;
    }
}
