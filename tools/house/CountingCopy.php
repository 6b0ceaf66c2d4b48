<?php

declare(strict_types=1);

namespace Larder\Tools\House;

use PhpParser\Node;
use PhpParser\NodeFinder;
use RuntimeException;

/** A copy of the library and its example in which each function of the library counts when it is entered. */
final readonly class CountingCopy
{
    /** @param string $example the directory of the example */
    private function __construct(public string $directory, public string $example) {}

    public static function of(Sources $sources): self
    {
        $directory = sys_get_temp_dir() . '/larder-walks-' . bin2hex(random_bytes(6));
        $copy = new self($directory, "$directory/example");
        foreach ($sources->files as $file) {
            self::write("$directory/$file->path", self::counting($file));
        }
        $map = array_map(
            static fn(SourceFile $file): string => "$directory/$file->path",
            $sources->classes(),
        );
        self::write("$directory/classes.php", "<?php\n\nreturn " . var_export($map, true) . ";\n");
        self::write("$copy->example/vendor/autoload.php", \sprintf(
            "<?php\n\nrequire_once %s;\nLarder\Tools\House\Calls::load(require %s, %s);\n",
            var_export(__DIR__ . '/Calls.php', true),
            var_export("$directory/classes.php", true),
            var_export("$sources->root/vendor/autoload.php", true),
        ));
        $own = "$sources->root/$sources->example";
        foreach ([...(array) glob("$own/*.php"), ...(array) glob("$own/public/*.php")] as $path) {
            $below = substr((string) $path, \strlen($own));
            self::write($copy->example . $below, (string) file_get_contents((string) $path));
        }
        mkdir("$copy->example/var", 0o777, true);
        mkdir("$directory/memory");

        return $copy;
    }

    public function remove(): void
    {
        exec('rm -rf ' . escapeshellarg($this->directory));
    }

    private static function write(string $path, string $text): void
    {
        is_dir(\dirname($path)) || mkdir(\dirname($path), 0o777, true);
        if (file_put_contents($path, $text) !== \strlen($text)) {
            throw new RuntimeException("$path cannot be written");
        }
    }

    private static function counting(SourceFile $file): string
    {
        $counter = '\\' . __NAMESPACE__ . '\\Calls::';
        $put = [];
        $functions = (new NodeFinder())->findInstanceOf($file->nodes, Node\FunctionLike::class);
        foreach ($functions as $function) {
            if ($function instanceof Node\Expr\ArrowFunction) {
                // The counter gives null, so that the value is that of the expression.
                $put[$function->expr->getStartFilePos()][] = "{$counter}one() ?: (";
                $put[$function->expr->getEndFilePos() + 1][] = ')';
            } elseif ($function->getStmts() !== null) {
                $put[self::body($file, $function)][] = " ++{$counter}\$count;";
            }
        }
        krsort($put);
        $text = $file->text;
        foreach ($put as $offset => $words) {
            // At one place an arrow function ends before another one does: each puts the same words.
            $text = substr_replace($text, implode('', $words), $offset, 0);
        }

        return $text;
    }

    /** Where the body of a function begins: behind the first brace after its head. */
    private static function body(SourceFile $file, Node\FunctionLike $function): int
    {
        $head = [...$function->getParams()];
        if ($function->getReturnType() !== null) {
            $head[] = $function->getReturnType();
        }
        if ($function instanceof Node\Expr\Closure) {
            array_push($head, ...$function->uses);
        }
        foreach ($function->getAttrGroups() as $group) {
            $head[] = $group;
        }
        $at = max($function->getStartTokenPos(), ...array_map(
            static fn(Node $node): int => $node->getEndTokenPos(),
            $head,
        ), ...[0]);
        while ($file->tokens[$at]->text !== '{') {
            ++$at;
        }

        return $file->tokens[$at]->pos + 1;
    }
}
