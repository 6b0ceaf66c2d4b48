<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture\Walks;

use FilesystemIterator;
use PhpParser\Node;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\Parser;
use PhpParser\ParserFactory;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** The PHP files of all packages of a checkout. */
final readonly class Sources
{
    /** @param list<SourceFile> $files */
    private function __construct(public string $root, public array $files) {}

    public static function of(string $root): self
    {
        $parser = (new ParserFactory())->createForHostVersion();
        $files = [];
        foreach ((array) glob("$root/packages/*/src", GLOB_ONLYDIR) as $package) {
            foreach (self::below((string) $package) as $path) {
                $files[] = self::read($parser, $root, $path);
            }
        }

        return new self($root, $files);
    }

    /** @return array<string, SourceFile> by the class that it declares */
    public function classes(): array
    {
        $finder = new NodeFinder();
        $classes = [];
        foreach ($this->files as $file) {
            foreach ($finder->findInstanceOf($file->nodes, Node\Stmt\ClassLike::class) as $class) {
                if ($class->namespacedName !== null) {
                    $classes[$class->namespacedName->toString()] = $file;
                }
            }
        }
        ksort($classes);

        return $classes;
    }

    private static function read(Parser $parser, string $root, string $path): SourceFile
    {
        $text = (string) file_get_contents($path);
        $traverser = new NodeTraverser(new NameResolver());
        $nodes = $traverser->traverse($parser->parse($text) ?? []);

        return new SourceFile(
            substr($path, \strlen($root) + 1),
            $text,
            array_values($nodes),
            array_values($parser->getTokens()),
        );
    }

    /** @return list<string> */
    private static function below(string $directory): array
    {
        $paths = [];
        $found = new RecursiveIteratorIterator(
            new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS),
        );
        foreach ($found as $file) {
            if ($file instanceof SplFileInfo && $file->getExtension() === 'php') {
                $paths[] = $file->getPathname();
            }
        }
        sort($paths);

        return $paths;
    }
}
