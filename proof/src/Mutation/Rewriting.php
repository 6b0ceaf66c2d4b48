<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use Closure;
use PhpParser\Node;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitorAbstract;

/** Puts other nodes into a tree. */
final class Rewriting extends NodeVisitorAbstract
{
    /** @param Closure(Node): (Node|array<Node>|int|null) $exchange */
    private function __construct(private readonly Closure $exchange) {}

    /**
     * @param array<Node>                                 $code
     * @param Closure(Node): (Node|array<Node>|int|null) $exchange as NodeVisitor::leaveNode()
     *
     * @return list<Node>
     */
    public static function of(array $code, Closure $exchange): array
    {
        return array_values((new NodeTraverser(new self($exchange)))->traverse($code));
    }

    public function leaveNode(Node $node): Node|array|int|null
    {
        return ($this->exchange)($node);
    }
}
