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
    /** Files that an error names. */
    private const SHOWN = 10;

    private string $directory;

    /**
     * @param list<string> $exclude paths or patterns of fnmatch(), against the path and against each name in it
     * @param list<string> $include the same, of files that are meant to be in it although they look like secrets
     *
     * @throws InvalidCode if there is no such directory
     */
    public function __construct(string $directory, private array $exclude = [], private array $include = [])
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
        $found = $secrets = [];
        $waiting = [''];
        while (($below = array_pop($waiting)) !== null) {
            foreach ($this->names($below) as $name) {
                $path = $below . $name;
                if (self::fits($this->exclude, $path, $name)) {
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
                    if (Secrets::isOne($path, $whole) && !self::fits($this->include, $path, $name)) {
                        $secrets[] = $path;
                    }
                } else {
                    throw InvalidCode::because("$path cannot be in a release: it is no file, link or directory");
                }
            }
        }
        if ($secrets !== []) {
            sort($secrets);
            throw InvalidCode::because(\sprintf(
                'Passwords, private keys or dumps would lie in the pool in the clear: %s%s. Leave them out by '
                    . '--exclude, or name what is none by --include',
                implode(', ', \array_slice($secrets, 0, self::SHOWN)),
                \count($secrets) > self::SHOWN ? \sprintf(' and %d more', \count($secrets) - self::SHOWN) : '',
            ));
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

    /** @param list<string> $patterns */
    private static function fits(array $patterns, string $path, string $name): bool
    {
        foreach ($patterns as $pattern) {
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
