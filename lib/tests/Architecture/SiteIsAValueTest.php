<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use Larder\Page\Area;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\SiteRules;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt\Class_;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\ParserFactory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use ReflectionClass;

/**
 * A description of a site builds nothing but values, so that describing a site opens, reads and writes nothing, and
 * `Pages` is the place where what a site has is put together.
 *
 * From the description on, each class that is made or called by its name is looked at too. None calls a function that
 * does more than to compute with its arguments.
 */
#[CoversNothing]
final class SiteIsAValueTest extends TestCase
{
    private const DESCRIPTION = [
        Limits::class, Operations::class, Serving::class, Site::class, SiteRules::class, Storage::class, Urls::class,
        Visitors::class,
    ];

    /** Functions that only compute. */
    private const COMPUTES = '/^(?:array_\w+|count|ctype_\w+|explode|fnmatch|implode|in_array|is_(?:string|int|array)|'
        . 'ltrim|max|min|preg_\w+|rawurl(?:de|en)code|rtrim|sprintf|str_\w+|str\w+|substr\w*|trim|'
        . 'usort|ucfirst|lcfirst|sort)$/D';

    public function testADescriptionOnlyComputes(): void
    {
        $seen = [];
        $todo = self::DESCRIPTION;
        for ($next = 0; $next < \count($todo); ++$next) {
            $class = $todo[$next];
            if (isset($seen[$class]) || !str_starts_with($class, 'Larder\\')) {
                continue;
            }
            self::assertTrue(class_exists($class) || enum_exists($class), $class);
            $file = (new ReflectionClass($class))->getFileName();
            $found = self::read((string) file_get_contents((string) $file));
            $seen[$class] = $found['effects'];
            array_push($todo, ...$found['classes']);
        }

        self::assertArrayHasKey(Area::class, $seen, 'Classes that are made are looked at.');
        self::assertSame([], array_filter($seen));
    }

    /** @param list<string> $effects */
    #[TestWith(['file_get_contents("x");', ['file_get_contents']])]
    #[TestWith(['time();', ['time']])]
    #[TestWith(['include "x";', ['include']])]
    #[TestWith(['$run("x");', ['a call by name']])]
    #[TestWith(['new $class();', ['a class by name']])]
    #[TestWith(['strlen("x");', []])]
    public function testAnEffectIsFound(string $code, array $effects): void
    {
        $class = "<?php namespace Larder\\Page; final class A { function a() { $code } }";

        self::assertSame($effects, self::read($class)['effects']);
    }

    public function testWhatIsMadeIsFound(): void
    {
        $code = '<?php namespace Larder\Page; use Larder\Dependency\SqlLedger; final class A extends Base { '
            . 'function a() { return new SqlLedger(); } function b() { return Flush::of(1); } }';

        self::assertSame(
            ['Larder\Dependency\SqlLedger', 'Larder\Page\Base', 'Larder\Page\Flush'],
            self::read($code)['classes'],
        );
    }

    /**
     * @return array{classes: list<string>, effects: list<string>} what it makes, extends or calls by a class's name,
     *     and what does more than to compute
     */
    private static function read(string $code): array
    {
        $resolver = new NodeTraverser(new NameResolver());
        $tree = $resolver->traverse((new ParserFactory())->createForHostVersion()->parse($code) ?? []);
        [$classes, $effects] = [[], []];
        foreach ((new NodeFinder())->findInstanceOf($tree, Node::class) as $node) {
            $class = match (true) {
                $node instanceof Expr\New_, $node instanceof Expr\StaticCall => $node->class,
                $node instanceof Class_ => $node->extends,
                default => null,
            };
            if ($class instanceof Node\Name && !$class->isSpecialClassName()) {
                $classes[] = $class->toString();
            } elseif ($class instanceof Expr) {
                $effects[] = 'a class by name';
            }
            $effect = match (true) {
                $node instanceof Expr\FuncCall && $node->name instanceof Node\Name => self::effect($node->name),
                // A closure of the application, which Site::open() calls for Pages.
                $node instanceof Expr\FuncCall && !$node->name instanceof Expr\PropertyFetch => 'a call by name',
                $node instanceof Expr\Include_ => 'include',
                $node instanceof Expr\ShellExec => 'shell_exec',
                $node instanceof Expr\Exit_ => 'exit',
                $node instanceof Node\Stmt\Echo_ => 'echo',
                default => null,
            };
            $effects = $effect === null ? $effects : [...$effects, $effect];
        }
        sort($classes);

        return ['classes' => array_values(array_unique($classes)), 'effects' => $effects];
    }

    private static function effect(Node\Name $function): ?string
    {
        $name = strtolower($function->getLast());

        return preg_match(self::COMPUTES, $name) === 1 ? null : $name;
    }
}
