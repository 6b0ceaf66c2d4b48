<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

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
        $types = new DocblockTypes($node, $this->resolver->getNameContext());
        $this->named[$class] = [...$this->parents[$class], ...$types->classesOf($node)];
        foreach (self::members($node) as $member) {
            $this->named[$class . '::' . self::nameOf($member)] = [
                ...self::written($member),
                ...$types->classesOf($member),
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
}
