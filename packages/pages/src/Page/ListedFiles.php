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

    /** Hexadecimal digits of a number in the table. */
    private const DIGITS = 8;

    private const TABLE = self::GROUPS * self::DIGITS;

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
            $table .= \sprintf('%0' . self::DIGITS . 'x', $end);
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
        $group = self::group($path);
        $start = $group === 0 ? 0 : $this->end($group - 1);
        $files = substr($this->text, self::TABLE + $start, max(0, $this->end($group) - $start));
        $at = strpos($files, "\n$path\t");

        return $at === false ? null : explode("\n", substr($files, $at + \strlen($path) + 2), 2)[0];
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

    private function end(int $group): int
    {
        return (int) hexdec(substr($this->text, $group * self::DIGITS, self::DIGITS));
    }

    private static function group(string $path): int
    {
        return crc32($path) % self::GROUPS;
    }
}
