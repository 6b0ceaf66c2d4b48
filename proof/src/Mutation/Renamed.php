<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use PhpParser\Node;
use PhpParser\Node\Expr\Assign;
use PhpParser\Node\Expr\Variable;
use PhpParser\Node\Param;
use PhpParser\Node\Stmt\ClassMethod;
use PhpParser\Node\Stmt\Foreach_;
use PhpParser\NodeFinder;

/** A class whose local variables and parameters all have other names: its mutants must be the same. */
final readonly class Renamed
{
    private const SUFFIX = 'Renamed';

    /**
     * @param list<Node> $code as Mutant::parsed() has it
     *
     * @return list<Node>
     */
    public static function of(array $code): array
    {
        foreach (self::variables($code) as [$variable, $name]) {
            $variable->name = $name . self::SUFFIX;
        }

        return $code;
    }

    /**
     * @param list<Node> $code of a mutant of it
     *
     * @return list<string> variables that a template calls by the name that they had
     */
    public static function missed(array $code): array
    {
        $names = array_filter(
            array_column(self::variables($code), 1),
            static fn(string $name): bool => !str_ends_with($name, self::SUFFIX),
        );
        $own = [];
        foreach ((new NodeFinder())->find($code, static fn(): bool => true) as $node) {
            $set = match (true) {
                $node instanceof Assign, $node instanceof Param => $node->var,
                $node instanceof Foreach_ => $node->valueVar,
                default => null,
            };
            $own[] = $set instanceof Variable && \is_string($set->name) ? $set->name : '';
        }

        return array_values(array_diff($names, $own));
    }

    /**
     * @param list<Node> $code
     *
     * @return list<array{Variable, string}> without `$this`, and without what a constructor makes properties of
     */
    private static function variables(array $code): array
    {
        $found = [];
        foreach ((new NodeFinder())->findInstanceOf($code, ClassMethod::class) as $method) {
            $fixed = ['this'];
            foreach ($method->params as $param) {
                if ($param->isPromoted() && $param->var instanceof Variable) {
                    $fixed[] = $param->var->name;
                }
            }
            foreach ((new NodeFinder())->findInstanceOf($method, Variable::class) as $variable) {
                if (\is_string($variable->name) && !\in_array($variable->name, $fixed, true)) {
                    $found[] = [$variable, $variable->name];
                }
            }
        }

        return $found;
    }
}
