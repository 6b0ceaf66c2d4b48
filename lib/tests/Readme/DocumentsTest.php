<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** All Markdown in git: its links lead to a file and a heading, and the classes that it names exist. */
#[CoversNothing]
final class DocumentsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../../';

    /** The change log names what a version had, also where a later one has it no more. */
    private const PAST = 'CHANGELOG.md';

    /** A class with its namespace, whole or without `Larder\`. */
    private const NAME = '~(?<![\w\\\\$/])[A-Z]\w*(?:\\\\[A-Z]\w*)+(?![\w\\\\{*])~';

    public function testEachLinkLeadsToAFileAndAHeading(): void
    {
        $wrong = [];
        $seen = 0;
        foreach (self::pages() as $page => $text) {
            if (preg_match('~^# ~m', self::prose($text)) !== 1) {
                $wrong[] = "$page has no title";
            }
            preg_match_all('~\]\(([^)\s]+)\)~', self::prose($text), $links);
            foreach ($links[1] as $link) {
                if (preg_match('~^[a-z]+:~', $link) === 1) {
                    continue;
                }
                ++$seen;
                [$path, $heading] = [...explode('#', $link), null];
                $path = $path === '' ? $page : ltrim(\dirname($page) . '/' . $path, './');
                $file = realpath(self::ROOT . $path);
                if ($file === false) {
                    $wrong[] = "$page: $link leads to no file";
                } elseif ($heading !== null && !\in_array($heading, self::headings($file), true)) {
                    $wrong[] = "$page: $link leads to no heading";
                }
            }
        }

        self::assertSame([], $wrong);
        self::assertGreaterThan(\count(self::pages()), $seen);
    }

    /** Code, scripts and messages name pages too. */
    public function testEachPageThatAFileNamesIsThere(): void
    {
        $wrong = [];
        foreach (self::tracked('*.php', '*.phpt', '*.h', '*.c', '*.js', '*.md', 'tools/*', 'script/*') as $file) {
            preg_match_all('~\bdocs/[\w/-]+\.(?:md|json)\b~', (string) file_get_contents(self::ROOT . $file), $names);
            foreach ($names[0] as $name) {
                if (!str_contains($file, '/fixtures/') && !is_file(self::ROOT . $name)) {
                    $wrong[] = "$file: $name";
                }
            }
        }

        self::assertSame([], $wrong);
    }

    public function testEachClassThatAPageNamesExists(): void
    {
        $wrong = [];
        $seen = 0;
        foreach (self::pages() as $page => $text) {
            preg_match_all('~`([^`\n]+)`~', self::prose($text), $spans);
            preg_match_all(self::NAME, implode("\n", $spans[1]), $names);
            foreach ($page === self::PAST ? [] : array_unique($names[0]) as $name) {
                ++$seen;
                if (!self::exists($name) && !self::exists("Larder\\$name")) {
                    $wrong[] = "$page: $name";
                }
            }
        }

        self::assertSame([], $wrong);
        self::assertGreaterThan(100, $seen);
    }

    /** `script/test NAME...`: each name is a lane or a part in the program's help. */
    public function testEachPartOfTheChecksThatAPageNamesExists(): void
    {
        $help = (new Process([self::ROOT . 'script/test', '--help']))->mustRun()->getOutput();
        $wrong = [];
        $seen = 0;
        foreach (self::pages() as $page => $text) {
            preg_match_all('~`script/test ([a-z][a-z -]*)`|^    script/test ([a-z][a-z -]*)$~m', $text, $names);
            foreach (explode(' ', trim(implode(' ', [...$names[1], ...$names[2]]))) as $name) {
                if ($name === '' || $name === 'long') {
                    continue;
                }
                ++$seen;
                if (preg_match("~^  (?:\\S+ +)?$name ~m", $help) !== 1 && !str_contains($help, "\n  $name")) {
                    $wrong[] = "$page: script/test $name";
                }
            }
        }

        self::assertSame([], $wrong);
        self::assertGreaterThan(20, $seen);
    }

    /** A class, or a namespace of the library. */
    private static function exists(string $name): bool
    {
        return class_exists($name) || interface_exists($name) || enum_exists($name)
            || str_starts_with($name, 'Larder\\')
                && is_dir(self::ROOT . 'lib/src/' . strtr(substr($name, \strlen('Larder\\')), '\\', '/'));
    }

    /** @return array<string, string> by its path from the root */
    private static function pages(): array
    {
        $texts = [];
        foreach (self::tracked('*.md') as $page) {
            $texts[$page] = (string) file_get_contents(self::ROOT . $page);
        }

        return $texts;
    }

    /** @return list<string> */
    private static function tracked(string ...$patterns): array
    {
        $list = new Process(['git', 'ls-files', '--', ...$patterns], self::ROOT);

        return array_values(array_filter(
            explode("\n", trim($list->mustRun()->getOutput())),
            static fn(string $file): bool => is_file(self::ROOT . $file),
        ));
    }

    /** Without the blocks of code. */
    private static function prose(string $text): string
    {
        return (string) preg_replace('~^( *)```.*?^\1```$~ms', '', $text);
    }

    /** @return list<string> as GitHub names them in an address */
    private static function headings(string $file): array
    {
        preg_match_all('~^#+ (.+)$~m', self::prose((string) file_get_contents($file)), $headings);
        $names = $counts = [];
        foreach ($headings[1] as $heading) {
            $words = (string) preg_replace('~\[([^]]*)\]\([^)]*\)~', '$1', mb_strtolower(trim($heading)));
            $name = strtr((string) preg_replace('~[^\w\- ]~u', '', $words), ' ', '-');
            $counts[$name] = ($counts[$name] ?? -1) + 1;
            $names[] = $counts[$name] === 0 ? $name : "$name-$counts[$name]";
        }

        return $names;
    }
}
