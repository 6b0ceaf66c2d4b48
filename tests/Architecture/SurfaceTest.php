<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use FilesystemIterator;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** What users may rely on is chosen: each public class is described, and leads to no internal one. */
#[CoversNothing]
final class SurfaceTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../';

    private const MOST = 152;

    /** A heading of a class, or the first cell of a row of a table. */
    private const DESCRIBED = '~^(?:## (?:class|interface|enum) |\| `)(Larder\\\\[\w\\\\]+)(?:` \||$)~m';

    public function testEveryClassIsDescribedOrInternal(): void
    {
        self::assertSame([], self::packages()->differences(self::described(self::pages())));
    }

    public function testWhatPublicClassesNameIsPublic(): void
    {
        self::assertSame([], self::packages()->leaks());
    }

    public function testThereAreFewPublicClasses(): void
    {
        $published = self::packages()->published();

        self::assertGreaterThan(100, \count($published), 'Not all packages are looked at.');
        self::assertLessThanOrEqual(self::MOST, \count($published));
    }

    public function testCommandsAreInternal(): void
    {
        self::assertSame([], preg_grep('~^Larder\\\\(?:Console|Dashboard)\\\\~', self::packages()->published()));
    }

    /** @param list<string> $leaks */
    #[DataProvider('members')]
    public function testWhatAPublicClassMayName(string $php, array $leaks): void
    {
        $found = (new Surface(['<?php namespace A; /** @internal */ class I {}', $php]))->leaks();

        self::assertSame($leaks, $found);
    }

    /** @return iterable<string, array{string, list<string>}> PHP, and what is wrong with it */
    public static function members(): iterable
    {
        yield 'parent' => ['<?php namespace A; class P extends I {}', ['A\P: A\I']];
        yield 'interface' => ['<?php namespace A; class P implements I {}', ['A\P: A\I']];
        yield 'interface of an interface' => ['<?php namespace A; interface P extends I {}', ['A\P: A\I']];
        yield 'interface of an enum' => ['<?php namespace A; enum P implements I {}', ['A\P: A\I']];
        yield 'parameter' => [self::body('public function f(?I $i) {}'), ['A\P::f(): A\I']];
        yield 'one of several types' => [self::body('public function f(int|I $i) {}'), ['A\P::f(): A\I']];
        yield 'result' => [self::body('public function f(): ?I {}'), ['A\P::f(): A\I']];
        yield 'property' => [self::body('public I $i;'), ['A\P::$i: A\I']];
        yield 'property of a private constructor' => [
            self::body('private function __construct(public I $i) {}'),
            ['A\P::$i: A\I'],
        ];
        yield 'constant' => [self::body('public const C = I::D;'), ['A\P::C: A\I']];
        yield 'exception' => [self::body('/** @throws B|I if so */ public function f() {}'), ['A\P::f(): A\I']];
        yield 'generic' => [self::body('/** @return list<array{i: I}> */ public function f() {}'), ['A\P::f(): A\I']];
        yield 'closure' => [
            self::body('/** @param (Closure(int): (I|null))|null $f */ public function f($f) {}'),
            ['A\P::f(): A\I'],
        ];
        yield 'over two lines' => [
            self::body("/**\n * @param array<string,\n *     I> \$f\n */ public function f(\$f) {}"),
            ['A\P::f(): A\I'],
        ];
        yield 'template' => ['<?php namespace A; /** @template T of I */ class P {}', ['A\P: A\I']];
        yield 'imported under another name' => [
            '<?php namespace B; use A\I as J; class P { public function f(J $j) {} }',
            ['B\P::f(): A\I'],
        ];
        yield 'type by a name' => [
            '<?php namespace A; /** @phpstan-type N list<I> */ class P { /** @return N */ public function f() {} }',
            ['A\P::f(): A\I'],
        ];
        yield 'for heirs' => [
            '<?php namespace A; abstract class P { abstract protected function f(): I; }',
            ['A\P::f(): A\I'],
        ];

        yield 'kept: internal class' => ['<?php namespace A; /** @internal Why. */ class P extends I {}', []];
        yield 'kept: internal method' => [self::body('/** @internal */ public function f(I $i) {}'), []];
        yield 'kept: internal property' => [
            self::body('/** @internal */ public function __construct(/** @internal */ public I $i) {}'),
            [],
        ];
        yield 'kept: stands for an internal method' => [
            '<?php namespace A; class P implements Q { public function f(I $i) {} }
                interface Q { /** @internal */ public function f(I $i); }',
            [],
        ];
        yield 'kept: private and protected' => [
            self::body('private I $i; protected function f(): I {} private function g(I $i) {}'),
            [],
        ];
        yield 'kept: only told of' => [
            self::body('/** @param int $i like I has, I think */ public function f($i) {}'),
            [],
        ];
        yield 'kept: another class of that name' => [self::body('public function f(\I $i, \B\I $j) {}'), []];
    }

    public function testWhatIsDescribed(): void
    {
        $page = "# Larder\\A\n\n## class Larder\\B\n\nA `Larder\\C`.\n\n### enum Larder\\D\n\n## enum Larder\\E\\F\n\n"
            . "| class | meaning |\n| --- | --- |\n| `Larder\\G` | `Larder\\H` |\n";

        self::assertSame(['Larder\B', 'Larder\E\F', 'Larder\G'], self::described([$page]));
    }

    public function testAClassIsEitherInternalOrDescribed(): void
    {
        $surface = new Surface([
            '<?php namespace L; class Both {}',
            '<?php namespace L; class Forgotten { /** @internal */ public function f() {} }',
            "<?php namespace L; /**\n * For the packages.\n *\n * @internal\n */ final class Hidden {}",
            '<?php namespace L; /** @internal */ interface Shown {}',
        ]);

        self::assertSame(['L\Both', 'L\Forgotten'], $surface->published());
        self::assertSame(
            ['L\Forgotten: public, not described', 'L\Shown: described, @internal'],
            $surface->differences(['L\Both', 'L\Shown', 'Larder\OfTheExtension']),
        );
    }

    private static function body(string $member): string
    {
        return '<?php namespace A; class P { ' . $member . ' }';
    }

    private static function packages(): Surface
    {
        static $surface = null;

        return new Surface(self::sources());
    }

    /** @return iterable<string> */
    private static function sources(): iterable
    {
        foreach ((array) glob(self::ROOT . 'packages/*/src', \GLOB_ONLYDIR) as $directory) {
            $files = new RecursiveIteratorIterator(
                new RecursiveDirectoryIterator((string) $directory, FilesystemIterator::SKIP_DOTS),
            );
            foreach ($files as $file) {
                if ($file instanceof SplFileInfo && $file->getExtension() === 'php') {
                    yield (string) file_get_contents($file->getPathname());
                }
            }
        }
    }

    /** @return list<string> the reference, part of which is in guides */
    private static function pages(): array
    {
        $pages = [];
        foreach ((array) glob(self::ROOT . 'docs/{reference,how-to}/*.md', \GLOB_BRACE) as $page) {
            $pages[] = (string) file_get_contents((string) $page);
        }

        return $pages;
    }

    /**
     * @param list<string> $pages
     *
     * @return list<string>
     */
    private static function described(array $pages): array
    {
        preg_match_all(self::DESCRIBED, implode("\n", $pages), $found);

        return $found[1];
    }
}
