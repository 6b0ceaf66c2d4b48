<?php

declare(strict_types=1);

namespace Larder\Tools\House;

use FilesystemIterator;
use PhpParser\Node;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\Parser;
use PhpParser\ParserFactory;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use RuntimeException;
use SplFileInfo;

/** The PHP files of all packages of a checkout. */
final readonly class Sources
{
    /** @param list<SourceFile> $files */
    private function __construct(public string $root, public string $example, public array $files) {}

    public static function of(string $root): self
    {
        $packages = glob("$root/packages/*/src", GLOB_ONLYDIR);
        // Before there were packages.
        $packages = $packages === [] || $packages === false ? ["$root/lib/src"] : $packages;
        $parser = (new ParserFactory())->createForHostVersion();
        $files = [];
        foreach ($packages as $package) {
            if (!is_dir($package)) {
                throw new RuntimeException("$root is no checkout of Larder");
            }
            foreach (self::below($package) as $path) {
                $files[] = self::read($parser, $root, $package, $path);
            }
        }
        $example = is_dir("$root/example") ? 'example' : 'lib/example';

        return new self($root, $example, $files);
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

    private static function read(Parser $parser, string $root, string $package, string $path): SourceFile
    {
        $text = (string) file_get_contents($path);
        $below = substr($path, \strlen($package) + 1);
        $inRoom = str_contains($below, '/') ? '/' . explode('/', $below, 2)[0] : '';
        $traverser = new NodeTraverser(new NameResolver());
        $nodes = $traverser->traverse($parser->parse($text) ?? []);

        return new SourceFile(
            substr($path, \strlen($root) + 1),
            basename(\dirname($package)) . $inRoom,
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
