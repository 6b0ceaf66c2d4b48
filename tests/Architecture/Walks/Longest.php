<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture\Walks;

use PhpParser\Node;
use PhpParser\NodeFinder;

/** What is longest in the library. */
final readonly class Longest
{
    private function __construct() {}

    /** @return array<string, array{length: int, where: string}> by what is long */
    public static function in(Sources $sources): array
    {
        $most = [];
        foreach ($sources->files as $file) {
            foreach (self::of($file) as $what => $longest) {
                $most[$what][] = $longest;
            }
        }

        // Their lengths are compared first.
        return array_map(static fn(array $lengths): array => max($lengths), $most);
    }

    /** @return array<string, array{length: int, where: string}> by what is long */
    private static function of(SourceFile $file): array
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
