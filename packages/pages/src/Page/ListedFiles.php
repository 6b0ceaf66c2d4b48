<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Files with a text for each, as one text in which a few of them are found without the others being read: the list of a
 * release has thousands, and each page that is made asks for those that it has run.
 *
 * The files lie in groups by a digest of the path. A table of where each group ends is in front.
 *
 * @internal
 */
final readonly class ListedFiles
{
    private const GROUPS = 256;

    /** Bytes of a number in the table, of pack()'s V. */
    private const NUMBER = 4;

    private const TABLE = self::GROUPS * self::NUMBER;

    private function __construct(public string $text) {}

    /** @param array<string, string> $files by path; none has a tab or a line break */
    public static function of(array $files): self
    {
        $groups = array_fill(0, self::GROUPS, '');
        foreach ($files as $path => $about) {
            $groups[self::group($path)] .= "\n$path\t$about";
        }
        $end = 0;
        $table = '';
        foreach ($groups as $group) {
            $end += \strlen($group);
            $table .= pack('V', $end);
        }

        return new self($table . implode('', $groups));
    }

    /** @param string $text of another one; what is none has no files */
    public static function from(string $text): self
    {
        return new self(\strlen($text) < self::TABLE ? self::of([])->text : $text);
    }

    public function get(string $path): ?string
    {
        return $this->some([$path])[$path] ?? null;
    }

    /**
     * Of many in one go, as a page that is made asks for some hundred.
     *
     * @param list<string> $paths
     *
     * @return array<array-key, string> by path, of those that are listed
     */
    public function some(array $paths): array
    {
        /** @var array<int, int> $ends by the number of the group, from 1 on */
        $ends = (array) unpack('V' . self::GROUPS, $this->text);
        $found = [];
        foreach ($paths as $path) {
            $group = self::group($path);
            $start = $group === 0 ? 0 : $ends[$group];
            $files = substr($this->text, self::TABLE + $start, max(0, $ends[$group + 1] - $start));
            $at = strpos($files, "\n$path\t");
            if ($at !== false) {
                $at += \strlen($path) + 2;
                $end = strpos($files, "\n", $at);
                $found[$path] = $end === false ? substr($files, $at) : substr($files, $at, $end - $at);
            }
        }

        return $found;
    }

    /** @return array<string, string> by path, sorted */
    public function all(): array
    {
        $files = [];
        foreach (explode("\n", substr($this->text, self::TABLE)) as $line) {
            [$path, $about] = explode("\t", $line, 2) + ['', ''];
            if ($path !== '') {
                $files[$path] = $about;
            }
        }
        ksort($files);

        return $files;
    }

    private static function group(string $path): int
    {
        return crc32($path) % self::GROUPS;
    }
}
