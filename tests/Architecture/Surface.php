<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PhpParser\NameContext;
use PhpParser\Node;
use PhpParser\Node\Stmt;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\NodeVisitorAbstract;
use PhpParser\ParserFactory;

/**
 * Which classes are for users, and where these name others. A class is public unless its own docblock has `@internal`.
 * It names what it extends and implements, and what its public constants, properties and methods take, return and
 * throw, by types and by docblocks. Members with `@internal` do not count, and a method without a docblock has that of
 * the method that it implements. Protected members count in abstract classes, which users extend.
 */
final class Surface extends NodeVisitorAbstract
{
    /** Words of a type that may be the name of a class, `\` included. */
    private const NAMES = '~(?<![\w\\\\$\'":-])\\\\?[A-Za-z_]\w*(?:\\\\\w+)*~';

    /** @var array<string, bool> whether it is public, by class */
    private array $classes = [];

    /** @var array<string, list<string>> the classes that a public class names, by place */
    private array $named = [];

    /** @var array<string, list<string>> what a class extends and implements */
    private array $parents = [];

    /** @var array<string, bool> whether it is internal, by method with a docblock */
    private array $documented = [];

    private NameResolver $resolver;

    /** @param iterable<string> $files PHP */
    public function __construct(iterable $files)
    {
        $parser = (new ParserFactory())->createForHostVersion();
        foreach ($files as $php) {
            $this->resolver = new NameResolver();
            (new NodeTraverser($this->resolver, $this))->traverse($parser->parse($php) ?? []);
        }
    }

    /** @return list<string> */
    public function published(): array
    {
        return array_keys(array_filter($this->classes));
    }

    /**
     * @param list<string> $described
     *
     * @return list<string> what is public or described, and not both
     */
    public function differences(array $described): array
    {
        $published = $this->published();
        $described = array_intersect($described, array_keys($this->classes));

        return [
            ...array_map(static fn(string $class): string => "$class: public, not described", array_values(
                array_diff($published, $described),
            )),
            ...array_map(static fn(string $class): string => "$class: described, @internal", array_values(
                array_diff($described, $published),
            )),
        ];
    }

    /** @return list<string> the places where public classes name internal ones */
    public function leaks(): array
    {
        $leaks = [];
        foreach ($this->named as $place => $classes) {
            [$class, $member] = explode('::', $place) + [1 => ''];
            if ($this->inherits($class, $member)) {
                continue;
            }
            foreach (array_unique($classes) as $class) {
                if (($this->classes[$class] ?? true) === false) {
                    $leaks[] = "$place: $class";
                }
            }
        }

        return $leaks;
    }

    /** Whether the docblock of this method, or else the one that it stands for, says `@internal`. */
    private function inherits(string $class, string $method): bool
    {
        if (isset($this->documented["$class::$method"])) {
            return $this->documented["$class::$method"];
        }
        foreach ($this->parents[$class] ?? [] as $parent) {
            if ($this->inherits($parent, $method)) {
                return true;
            }
        }

        return false;
    }

    public function leaveNode(Node $node): null
    {
        if (!$node instanceof Stmt\ClassLike || $node->namespacedName === null) {
            return null;
        }
        $class = $node->namespacedName->toString();
        $this->classes[$class] = !self::isInternal($node);
        $this->parents[$class] = self::parents($node);
        foreach ($node->getMethods() as $method) {
            if ($method->getDocComment() !== null) {
                $this->documented[$class . '::' . self::nameOf($method)] = self::isInternal($method);
            }
        }
        if (!$this->classes[$class]) {
            return null;
        }
        $scope = $this->resolver->getNameContext();
        $aliases = self::aliases($node, $scope);
        $this->named[$class] = [...$this->parents[$class], ...self::documented($node, $scope, $aliases)];
        foreach (self::members($node) as $member) {
            $this->named[$class . '::' . self::nameOf($member)] = [
                ...self::written($member),
                ...self::documented($member, $scope, $aliases),
            ];
        }

        return null;
    }

    /** @return list<Stmt\ClassMethod|Stmt\Property|Stmt\ClassConst|Node\Param> those that users see */
    private static function members(Stmt\ClassLike $class): array
    {
        $members = [];
        $open = $class instanceof Stmt\Class_ && $class->isAbstract();
        foreach ($class->stmts as $member) {
            $seen = $member instanceof Stmt\ClassMethod || $member instanceof Stmt\Property
                || $member instanceof Stmt\ClassConst;
            if ($seen && ($member->isPublic() || ($open && $member->isProtected()))) {
                $members[] = $member;
            }
            // A constructor that is not for users has properties that are.
            foreach ($member instanceof Stmt\ClassMethod ? $member->params : [] as $parameter) {
                if ($parameter->isPublic()) {
                    $members[] = $parameter;
                }
            }
        }

        return array_values(array_filter($members, static fn(Node $member): bool => !self::isInternal($member)));
    }

    private static function isInternal(Node $node): bool
    {
        return preg_match('~^[\s/*]*@internal\b~m', (string) $node->getDocComment()?->getText()) === 1;
    }

    private static function nameOf(Stmt\ClassMethod|Stmt\Property|Stmt\ClassConst|Node\Param $member): string
    {
        return match (true) {
            $member instanceof Stmt\ClassMethod => $member->name->toString() . '()',
            $member instanceof Node\Param => '$' . self::parameter($member),
            $member instanceof Stmt\Property => '$' . $member->props[0]->name->toString(),
            default => $member->consts[0]->name->toString(),
        };
    }

    private static function parameter(Node\Param $parameter): string
    {
        return $parameter->var instanceof Node\Expr\Variable && \is_string($parameter->var->name)
            ? $parameter->var->name
            : '';
    }

    /** @return list<string> */
    private static function parents(Stmt\ClassLike $class): array
    {
        $names = match (true) {
            $class instanceof Stmt\Class_ => [...array_filter([$class->extends]), ...$class->implements],
            $class instanceof Stmt\Interface_ => $class->extends,
            $class instanceof Stmt\Enum_ => $class->implements,
            default => [],
        };

        return array_values(array_map(static fn(Node\Name $name): string => $name->toString(), $names));
    }

    /** @return list<string> the classes of its types; of a constant those of its value */
    private static function written(Stmt\ClassMethod|Stmt\Property|Stmt\ClassConst|Node\Param $member): array
    {
        $types = match (true) {
            $member instanceof Stmt\ClassMethod => [
                $member->returnType,
                ...array_map(static fn(Node\Param $parameter): ?Node => $parameter->type, $member->params),
            ],
            $member instanceof Stmt\Property, $member instanceof Node\Param => [$member->type],
            default => array_map(static fn(Node\Const_ $constant): Node => $constant->value, $member->consts),
        };
        $found = (new NodeFinder())->findInstanceOf(array_values(array_filter($types)), Node\Name::class);

        return array_values(array_map(static fn(Node\Name $name): string => $name->toString(), $found));
    }

    /** @return array<string, list<string>> the classes that a type stands for, by its name in this class */
    private static function aliases(Stmt\ClassLike $class, NameContext $scope): array
    {
        $aliases = [];
        foreach (self::tags($class) as [$tag, $words]) {
            if ($tag === 'phpstan-type') {
                [$name, $type] = explode(' ', $words, 2) + [1 => ''];
                $aliases[$name] = self::classesIn($type, $scope, $aliases);
            } elseif ($tag === 'phpstan-import-type') {
                [$name, $from] = explode(' from ', $words, 2) + [1 => ''];
                $aliases[$name] = self::classesIn($from, $scope, []);
            }
        }

        return $aliases;
    }

    /**
     * @param array<string, list<string>> $aliases
     *
     * @return list<string> the classes of the types in its docblock
     */
    private static function documented(Node $node, NameContext $scope, array $aliases): array
    {
        $classes = [];
        foreach (self::tags($node) as [$tag, $words]) {
            $type = match (str_replace('phpstan-', '', $tag)) {
                'template', 'template-covariant' => explode(' of ', $words, 2)[1] ?? '',
                'param', 'return', 'throws', 'var', 'extends', 'implements', 'param-out', 'mixin' => $words,
                default => '',
            };
            $classes = [...$classes, ...self::classesIn(self::typeOf($type), $scope, $aliases)];
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
        $type = '(?:[^\s<>{}()]|(?<=[:|&]) | (?=[|&])|(<(?:[^<>]|(?1))*>)|(\{(?:[^{}]|(?2))*\})|(\((?:[^()]|(?3))*\)))*';

        return preg_match("~^$type~", $words, $found) === 1 ? $found[0] : $words;
    }

    /**
     * @param array<string, list<string>> $aliases
     *
     * @return list<string>
     */
    private static function classesIn(string $type, NameContext $scope, array $aliases): array
    {
        preg_match_all(self::NAMES, $type, $names);
        $classes = [];
        foreach ($names[0] as $name) {
            $class = str_starts_with($name, '\\')
                ? substr($name, 1)
                : $scope->getResolvedClassName(new Node\Name($name))->toString();
            $classes = [...$classes, ...($aliases[$name] ?? [$class])];
        }

        return $classes;
    }
}
