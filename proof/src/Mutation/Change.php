<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use LogicException;
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Expr\BinaryOp;
use PhpParser\Node\Expr\Variable;
use PhpParser\Node\Param;
use PhpParser\Node\Stmt;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor;
use PhpParser\NodeVisitor\CloningVisitor;
use PhpParser\ParserFactory;

/** One change of a class's syntax tree. */
final readonly class Change
{
    /**
     * @param string      $place where it is made, as Place has it
     * @param string|null $new   PHP of the same kind that comes there, with {holes} that Place fills; null: nothing
     * @param string      $text  that $new replaces in one literal; '': $new replaces all that is there
     */
    public function __construct(
        private string $place,
        private ?string $new,
        private string $text = '',
    ) {}

    public function words(): string
    {
        $words = ($this->text === '' ? '' : ": '$this->text'") . ($this->new === null ? ' is removed' : ' becomes ')
            . ($this->text === '' ? preg_replace('/\n\s*/', ' ', (string) $this->new) : "'$this->new'");

        return $this->place . addcslashes($words, "\r\n");
    }

    /**
     * @param list<Node> $code of the file of the class
     *
     * @return list<Node>
     *
     * @throws LogicException if the place is not found, or more than once
     */
    public function apply(array $code, string $class): array
    {
        $place = new Place($code, $class, $this->place);
        if ($this->text !== '') {
            $literal = $place->literal($this->text);
            $literal->value = str_replace($this->text, (string) $this->new, $literal->value);

            return $code;
        }
        $parent = $place->node->getAttribute('parent');
        [$old, $new] = match (true) {
            $this->new !== null => [$place->node, $this->made($place, $this->new)],
            // What is left of a condition without one of its operands.
            $parent instanceof BinaryOp => [
                $parent,
                $parent->left === $place->node ? $parent->right : $parent->left,
            ],
            default => [$place->node, NodeVisitor::REMOVE_NODE],
        };

        return Rewriting::of($code, static fn(Node $node): Node|array|int|null => $node === $old ? $new : null);
    }

    /** @return Node|list<Node> */
    private function made(Place $place, string $template): Node|array
    {
        $holes = [];
        // A brace of PHP itself has a blank, a `$` or the other brace behind it.
        preg_match_all('/\{([a-z][^{}]*)\}/', $template, $found);
        foreach (array_unique($found[1]) as $i => $hole) {
            $template = str_replace($found[0][$i], "\$hole$i", $template);
            $holes["hole$i"] = $place->value($hole);
        }
        $code = (new ParserFactory())->createForHostVersion()->parse(match (true) {
            $place->node instanceof Stmt => "<?php $template",
            $place->node instanceof Expr => "<?php $template;",
            $place->node instanceof Param => "<?php fn($template) => 0;",
            default => "<?php fn(): $template => 0;",
        });
        $filled = Rewriting::of($code ?? [], static function (Node $node) use ($holes): ?Node {
            // A statement that is a hole alone, or a parameter, may be filled by another one.
            $variable = match (true) {
                $node instanceof Stmt\Expression => $node->expr,
                $node instanceof Param => $node->var,
                default => $node,
            };
            $name = $variable instanceof Variable && \is_string($variable->name) ? $variable->name : '';
            $hole = $holes[$name] ?? null;

            return $hole !== null && $hole instanceof Expr === $node instanceof Variable
                ? (new NodeTraverser(new CloningVisitor()))->traverse([$hole])[0]
                : null;
        });
        $first = ($filled[0] ?? null) instanceof Stmt\Expression ? $filled[0]->expr : null;

        return match (true) {
            $place->node instanceof Stmt => $filled,
            $place->node instanceof Expr => $first,
            $first instanceof Expr\ArrowFunction => $first->returnType ?? array_values($first->params),
            default => null,
        } ?? throw new LogicException("$template is of another kind than $this->place.");
    }
}
