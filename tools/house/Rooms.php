<?php

declare(strict_types=1);

namespace Larder\Tools\House;

use PhpParser\Node;
use PhpParser\NodeFinder;

/** How large the rooms of the library are, and what is longest in it. */
final readonly class Rooms
{
    /**
     * @param array<string, array{files: int, lines: int, classes: int, public: int}> $rooms by room, then all
     * @param array<string, array{length: int, where: string}>                         $most  by what is long
     */
    private function __construct(public array $rooms, public array $most) {}

    public static function of(Sources $sources): self
    {
        $rooms = [];
        $all = ['files' => 0, 'lines' => 0, 'classes' => 0, 'public' => 0];
        $most = array_fill_keys(
            ['file, lines', 'function, lines', 'constructor, parameters'],
            ['length' => 0, 'where' => ''],
        );
        foreach ($sources->files as $file) {
            foreach (self::size($file) as $what => $size) {
                $rooms[$file->room][$what] = ($rooms[$file->room][$what] ?? 0) + $size;
                $all[$what] += $size;
            }
            foreach (self::longest($file) as $what => $longest) {
                $most[$what] = $longest['length'] > $most[$what]['length'] ? $longest : $most[$what];
            }
        }
        ksort($rooms);
        /** @var array<string, array{files: int, lines: int, classes: int, public: int}> $rooms */
        $rooms['all'] = $all;

        return new self($rooms, $most);
    }

    /** @return array{files: int, lines: int, classes: int, public: int} */
    private static function size(SourceFile $file): array
    {
        $classes = array_filter(
            (new NodeFinder())->findInstanceOf($file->nodes, Node\Stmt\ClassLike::class),
            static fn(Node\Stmt\ClassLike $class): bool => $class->name !== null,
        );
        $public = array_filter($classes, static fn(Node\Stmt\ClassLike $class): bool
            => !str_contains((string) $class->getDocComment()?->getText(), '@internal'));

        return [
            'files' => 1,
            'lines' => $file->lines(),
            'classes' => \count($classes),
            'public' => \count($public),
        ];
    }

    /** @return array<string, array{length: int, where: string}> by what is long */
    private static function longest(SourceFile $file): array
    {
        $longest = ['file, lines' => ['length' => $file->lines(), 'where' => $file->path]];
        $note = static function (string $what, int $length, int $line) use (&$longest, $file): void {
            if ($length > ($longest[$what]['length'] ?? 0)) {
                $longest[$what] = ['length' => $length, 'where' => "$file->path:$line"];
            }
        };
        foreach ((new NodeFinder())->findInstanceOf($file->nodes, Node\FunctionLike::class) as $function) {
            $line = $function->getStartLine();
            $note('function, lines', $function->getEndLine() - $line + 1, $line);
            if ($function instanceof Node\Stmt\ClassMethod && $function->name->toLowerString() === '__construct') {
                $note('constructor, parameters', \count($function->params), $line);
            }
        }

        return $longest;
    }
}
