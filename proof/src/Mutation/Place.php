<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use LogicException;
use PhpParser\Node;
use PhpParser\Node\Arg;
use PhpParser\Node\ArrayItem;
use PhpParser\Node\Expr;
use PhpParser\Node\Expr\BinaryOp;
use PhpParser\Node\Expr\Variable;
use PhpParser\Node\InterpolatedStringPart;
use PhpParser\Node\Scalar\String_;
use PhpParser\Node\Stmt;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NodeConnectingVisitor;

/**
 * A place in a class, found by what it guards: a method, constant or property of the class, and steps into it.
 *
 *     announce / branch lock / cond
 *
 * A step of several words is a kind of node and what is in it: a name that it uses, a 'text' that it has, a {hole}, or
 * one of these after `!`, which is not in it. It means the innermost such node, of which there must be one. A call and
 * an assignment are found by what is called or assigned, and then by what else is in them. A step of one word is a
 * part of the node, as php-parser names it, or its neighbour: `parent`, `next`.
 *
 * A hole is a step from here, several parts with dots between, `itself`, `parameter N` of the method, or
 * `assigned WORD`: the variable that gets a value with this word in it.
 */
final readonly class Place
{
    private const KINDS = [
        'argument' => [Arg::class],
        'arm' => [Node\MatchArm::class],
        'assignment' => [Expr\Assign::class],
        'branch' => [Stmt\If_::class, Stmt\ElseIf_::class, Stmt\Case_::class],
        'call' => [Expr\CallLike::class],
        'choice' => [Expr\Ternary::class],
        'item' => [ArrayItem::class],
        'joined' => [BinaryOp\Concat::class],
        'loop' => [Stmt\Foreach_::class],
        'operand' => [Expr::class],
        'parameter' => [Node\Param::class],
        'return' => [Stmt\Return_::class],
        'statement' => [Stmt::class],
    ];

    private NodeFinder $finder;

    /** A method, a constant or a property. */
    private Node $member;

    public Node $node;

    /**
     * @param array<Node> $code of the class's file
     *
     * @throws LogicException if the place is not found, or more than once
     */
    public function __construct(array $code, private string $class, private string $path)
    {
        (new NodeTraverser(new NodeConnectingVisitor()))->traverse($code);
        $this->finder = new NodeFinder();
        $steps = explode(' / ', $path);
        $name = array_shift($steps);
        $this->member = $this->once($this->finder->find($code, static fn(Node $node): bool => match (true) {
            $node instanceof Stmt\ClassMethod => $node->name->name === $name,
            $node instanceof Stmt\ClassConst => $node->consts[0]->name->name === $name,
            $node instanceof Stmt\Property => $node->props[0]->name->name === $name,
            default => false,
        }), $name);
        $this->node = array_reduce($steps, $this->step(...), $this->member);
    }

    /** The literal at the place that has this text once, and no other one has it. */
    public function literal(string $text): String_|InterpolatedStringPart
    {
        $found = [];
        foreach ($this->finder->find($this->node, static fn(): bool => true) as $node) {
            if ($node instanceof String_ || $node instanceof InterpolatedStringPart) {
                array_push($found, ...array_fill(0, substr_count($node->value, $text), $node));
            }
        }

        return $this->once($found, "the text \"$text\"");
    }

    /** What a hole of a template stands for. */
    public function value(string $hole, ?Node $from = null): Node
    {
        [$word, $rest] = explode(' ', $hole, 2) + [1 => ''];
        $from ??= $this->node;
        $found = match (true) {
            $word === 'itself' => $from,
            $word === 'parameter' => $this->part($this->member, "params.$rest.var"),
            $word === 'assigned' => $this->part($this->once($this->finder->find(
                $this->member,
                fn(Node $node): bool => $node instanceof Expr\Assign && $node->var instanceof Variable
                    && $this->has($node->expr, $rest),
            ), $hole), 'var'),
            $rest === '' => $this->part($from, $word),
            default => $this->step($from, $hole),
        };
        $value = self::bare($found);

        return $value instanceof Node ? $value : throw $this->lost($hole, 0);
    }

    private function step(Node $from, string $step): Node
    {
        preg_match_all("/!?(?:'[^']*'|\\{[^}]*\\}|[^ ]+)/", $step, $words);
        $marks = $words[0];
        $kind = array_shift($marks) ?? '';
        if ($marks === []) {
            return $this->part($from, $kind);
        }
        $found = [];
        foreach ($this->finder->find($from, fn(Node $node): bool => $this->is($node, $kind, $marks)) as $node) {
            $found[spl_object_id($node)] = $node;
        }
        foreach ($found as $node) {
            while (($node = $node->getAttribute('parent')) instanceof Node) {
                unset($found[spl_object_id($node)]);
            }
        }

        return $this->once($found, $step);
    }

    private function part(Node $from, string $path): Node
    {
        $part = $from;
        foreach (explode('.', $path) as $name) {
            $part = $part === $from ? $from : self::bare($part);
            $part = match (true) {
                \is_array($part) => $part[$name] ?? null,
                $part instanceof Node => get_object_vars($part)[$name] ?? $part->getAttribute($name),
                default => null,
            };
        }

        return $part instanceof Node ? $part : throw $this->lost($path, 0);
    }

    /** @param non-empty-list<string> $marks */
    private function is(Node $node, string $kind, array $marks): bool
    {
        if (array_filter(self::KINDS[$kind] ?? [], static fn(string $class): bool => $node instanceof $class) === []) {
            return false;
        }
        $parent = $node->getAttribute('parent');
        $parts = get_object_vars($node);
        $named = match ($kind) {
            'assignment' => $parts['var'],
            'call' => $parts['name'] ?? $parts['class'],
            'operand' => ($parent instanceof BinaryOp\BooleanAnd || $parent instanceof BinaryOp\BooleanOr)
                && !$node instanceof $parent ? $node : null,
            default => $node,
        };

        return $named instanceof Node && $this->has($named, $marks[0])
            && array_filter($marks, fn(string $mark): bool => !$this->has($node, $mark)) === [];
    }

    private function has(Node $node, string $mark): bool
    {
        if ($mark[0] === '!') {
            return !$this->has($node, substr($mark, 1));
        }
        $word = $mark[0] === '{' ? self::word($this->value(trim($mark, '{}'), $node)) : $mark;

        return $this->finder->findFirst($node, static fn(Node $one): bool => self::word($one) === $word) !== null;
    }

    private static function word(Node $node): ?string
    {
        return match (true) {
            $node instanceof Node\Identifier => $node->name,
            $node instanceof Node\Name => $node->getLast(),
            $node instanceof String_, $node instanceof InterpolatedStringPart => "'$node->value'",
            $node instanceof Variable && \is_string($node->name) => "\$$node->name",
            default => null,
        };
    }

    private static function bare(mixed $part): mixed
    {
        return $part instanceof Arg || $part instanceof ArrayItem ? $part->value : $part;
    }

    /**
     * @template T
     *
     * @param array<T> $found
     *
     * @return T
     */
    private function once(array $found, string $what): mixed
    {
        return \count($found) === 1 ? reset($found) : throw $this->lost($what, \count($found));
    }

    private function lost(string $what, int $times): LogicException
    {
        return new LogicException(\sprintf(
            '%s: %s: %s is found %d times, not once: the mutant must follow the code.',
            $this->class,
            $this->path,
            $what,
            $times,
        ));
    }
}
