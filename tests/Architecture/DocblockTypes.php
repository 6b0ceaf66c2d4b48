<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PhpParser\NameContext;
use PhpParser\Node;
use PhpParser\Node\Stmt;

/** The classes that the types in the docblocks of one class name. */
final class DocblockTypes
{
    /** Words of a type that may be the name of a class, `\` included. */
    private const NAMES = '~(?<![\w\\\\$\'":-])\\\\?[A-Za-z_]\w*(?:\\\\\w+)*~';

    /** @var array<string, list<string>> the classes that a type stands for, by its name in this class */
    private array $aliases = [];

    public function __construct(Stmt\ClassLike $class, private readonly NameContext $scope)
    {
        foreach (self::tags($class) as [$tag, $words]) {
            if ($tag === 'phpstan-type') {
                [$name, $type] = explode(' ', $words, 2) + [1 => ''];
                $this->aliases[$name] = $this->classesIn($type);
            } elseif ($tag === 'phpstan-import-type') {
                [$name, $from] = explode(' from ', $words, 2) + [1 => ''];
                $this->aliases[$name] = $this->classesIn($from);
            }
        }
    }

    /** @return list<string> the classes of the types in the docblock of the class or of one of its members */
    public function classesOf(Node $node): array
    {
        $classes = [];
        foreach (self::tags($node) as [$tag, $words]) {
            $type = match (str_replace('phpstan-', '', $tag)) {
                'template', 'template-covariant' => explode(' of ', $words, 2)[1] ?? '',
                'param', 'return', 'throws', 'var', 'extends', 'implements', 'param-out', 'mixin' => $words,
                default => '',
            };
            $classes = [...$classes, ...$this->classesIn(self::typeOf($type))];
        }

        return $classes;
    }

    /** @return list<array{string, string}> name and words of each */
    private static function tags(Node $node): array
    {
        $text = preg_replace('~\s*\R\s*\*?\s*~', ' ', substr((string) $node->getDocComment()?->getText(), 3, -2)) ?? '';
        preg_match_all('~(?<=\s)@([a-z-]+)(.*?)(?=\s@[a-z-]+|$)~', ' ' . $text, $tags, \PREG_SET_ORDER);

        return array_map(static fn(array $tag): array => [$tag[1], trim($tag[2])], $tags);
    }

    /** What stands before the first space that is in no brackets and not beside `|`, `&` or behind `:`. */
    private static function typeOf(string $words): string
    {
        $type = '(?:[^\s<>{}()]|(?<=[:|&]) | (?=[|&])'
            . '|(<(?:[^<>]|(?1))*>)|(\{(?:[^{}]|(?2))*\})|(\((?:[^()]|(?3))*\)))*';

        return preg_match("~^$type~", $words, $found) === 1 ? $found[0] : $words;
    }

    /** @return list<string> */
    private function classesIn(string $type): array
    {
        preg_match_all(self::NAMES, $type, $names);
        $classes = [];
        foreach ($names[0] as $name) {
            $class = str_starts_with($name, '\\')
                ? substr($name, 1)
                : $this->scope->getResolvedClassName(new Node\Name($name))->toString();
            $classes = [...$classes, ...($this->aliases[$name] ?? [$class])];
        }

        return $classes;
    }
}
