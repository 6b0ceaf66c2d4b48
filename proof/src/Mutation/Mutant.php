<?php

declare(strict_types=1);

namespace Larder\Proof\Mutation;

use Composer\Autoload\ClassLoader;
use LogicException;
use PhpParser\Node;
use PhpParser\Node\Identifier;
use PhpParser\Node\Scalar\MagicConst;
use PhpParser\Node\Scalar\String_;
use PhpParser\Node\Stmt\Class_;
use PhpParser\NodeFinder;
use PhpParser\ParserFactory;
use PhpParser\PrettyPrinter\Standard;

/**
 * A real class without one guard, made by changing its syntax tree.
 *
 * Each place must be found exactly once, so that a mutant of code that has changed fails loudly instead of testing
 * nothing. What it is called, how it is laid out and what its variables are called does not matter.
 */
final readonly class Mutant
{
    /**
     * @param class-string $class
     * @param list<Change> $changes
     */
    private function __construct(
        public string $class,
        private array $changes,
    ) {}

    /** @param class-string $class */
    public static function of(string $class): self
    {
        return new self($class, []);
    }

    public function replace(string $place, string $template): self
    {
        return $this->with(new Change($place, $template));
    }

    public function remove(string $place): self
    {
        return $this->with(new Change($place, null));
    }

    /** Replaces a text inside one literal. */
    public function text(string $place, string $old, string $new): self
    {
        return $this->with(new Change($place, $new, $old));
    }

    /** @return list<string> what is changed */
    public function words(): array
    {
        return array_map(static fn(Change $change): string => $change->words(), $this->changes);
    }

    /** Loads the mutated class in place of the real one, in a process that has not loaded that. */
    public function loadInstead(): void
    {
        if (class_exists($this->class, false)) {
            throw new LogicException($this->class . ' is loaded already.');
        }
        eval(self::printed($this->applied($this->parsed())));
    }

    /** @return string name of the mutated class, which implements what the real one does */
    public function load(): string
    {
        $code = $this->applied($this->parsed());
        $short = substr((string) strrchr($this->class, '\\'), 1);
        $name = $short . 'Without' . substr(sha1(self::printed($code)), 0, 12);
        $classes = (new NodeFinder())->find($code, static fn(Node $node): bool => $node instanceof Class_
            && $node->name?->name === $short);
        if (\count($classes) !== 1 || !$classes[0] instanceof Class_) {
            throw new LogicException($this->class . ' is declared in another way.');
        }
        $classes[0]->name = new Identifier($name);
        $loaded = substr($this->class, 0, -\strlen($short)) . $name;
        if (!class_exists($loaded, false)) {
            eval(self::printed($code));
        }

        return $loaded;
    }

    /** The mutated class as a file, for a process that reads no PHP itself. */
    public function file(): string
    {
        return "<?php\n\n" . self::printed($this->applied($this->parsed())) . "\n";
    }

    /** @return list<Node> the syntax tree of the real class's file */
    public function parsed(): array
    {
        foreach (ClassLoader::getRegisteredLoaders() as $loader) {
            $file = $loader->findFile($this->class);
            if (\is_string($file)) {
                $file = (string) realpath($file);
                $code = (new ParserFactory())->createForHostVersion()->parse((string) file_get_contents($file)) ?? [];

                // It is read elsewhere, and means the file that it comes from.
                return Rewriting::of($code, static fn(Node $node): ?Node => match (true) {
                    $node instanceof MagicConst\File => new String_($file),
                    $node instanceof MagicConst\Dir => new String_(\dirname($file)),
                    default => null,
                });
            }
        }

        throw new LogicException($this->class . ' is in no file.');
    }

    /**
     * @param list<Node> $code as parsed() has it
     *
     * @return list<Node>
     *
     * @throws LogicException if a place is not found, or more than once
     */
    public function applied(array $code): array
    {
        return array_reduce(
            $this->changes,
            fn(array $code, Change $change): array => $change->apply($code, $this->class),
            $code,
        );
    }

    /** @param list<Node> $code */
    public static function printed(array $code): string
    {
        return (new Standard())->prettyPrint($code);
    }

    private function with(Change $change): self
    {
        return new self($this->class, [...$this->changes, $change]);
    }
}
