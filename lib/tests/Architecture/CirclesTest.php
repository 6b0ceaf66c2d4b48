<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use FilesystemIterator;
use PhpToken;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * Files that use each other in a circle can only be understood, tested and replaced together. The library has none.
 */
#[CoversNothing]
final class CirclesTest extends TestCase
{
    private const SOURCES = __DIR__ . '/../../src';

    public function testTheLibraryHasNoCircleOfFiles(): void
    {
        $files = [];
        $found = new RecursiveIteratorIterator(
            new RecursiveDirectoryIterator(self::SOURCES, FilesystemIterator::SKIP_DOTS),
        );
        foreach ($found as $file) {
            if ($file instanceof SplFileInfo && $file->getExtension() === 'php') {
                $name = substr($file->getPathname(), \strlen(self::SOURCES) + 1, -\strlen('.php'));
                $files[str_replace('/', '\\', $name)] = (string) file_get_contents($file->getPathname());
            }
        }
        self::assertGreaterThan(100, \count($files));
        ksort($files);

        self::assertSame([], self::circles($files));
    }

    public function testACircleIsFound(): void
    {
        $files = [
            'A' => '<?php namespace Larder; use Larder\Part\B; final class A { public function b(): B { return new B(); } }',
            'Part\B' => '<?php namespace Larder\Part; final class B { public function __construct(private C $c) {} }',
            'Part\C' => '<?php namespace Larder\Part; final class C { public const A = \Larder\A::class; }',
            'Part\D' => '<?php namespace Larder\Part; /** Like B and E. */ final class D extends C { public int $e = E::E; }',
            'Part\E' => '<?php namespace Larder\Part; final class E { public const D = 1, E = 1; public function D(): void {} }',
        ];

        self::assertSame(['A, Part\B, Part\C'], self::circles($files));
    }

    /**
     * @param array<string, string> $files PHP by class, without the namespace of the library
     *
     * @return list<string> the classes of each circle
     */
    private static function circles(array $files): array
    {
        $uses = [];
        foreach ($files as $class => $php) {
            $uses[$class] = array_values(array_diff(array_intersect(self::classesIn($php), array_keys($files)), [$class]));
        }
        $reached = [];
        foreach (array_keys($uses) as $class) {
            $waiting = $uses[$class];
            $reached[$class] = [];
            while ($waiting !== []) {
                $next = array_pop($waiting);
                if (!isset($reached[$class][$next])) {
                    $reached[$class][$next] = true;
                    $waiting = [...$waiting, ...$uses[$next]];
                }
            }
        }
        $circles = [];
        foreach ($reached as $class => $others) {
            if (isset($others[$class])) {
                $circle = array_filter(array_keys($others), static fn(string $other): bool => isset($reached[$other][$class]));
                sort($circle);
                $circles[] = implode(', ', $circle);
            }
        }

        return array_values(array_unique($circles));
    }

    /** @return list<string> every class that the code names, without the namespace of the library; comments do not count */
    private static function classesIn(string $php): array
    {
        $tokens = array_values(array_filter(
            PhpToken::tokenize($php),
            static fn(PhpToken $token): bool => !$token->isIgnorable(),
        ));
        $namespace = '';
        $imported = $classes = [];
        foreach ($tokens as $i => $token) {
            $before = $tokens[$i - 1] ?? null;
            if ($before?->is(T_NAMESPACE) === true) {
                $namespace = $token->text . '\\';
            } elseif ($before?->is(T_USE) === true && $token->is(T_NAME_QUALIFIED)) {
                $imported[substr((string) strrchr($token->text, '\\'), 1)] = $token->text;
            } elseif ($token->is(T_NAME_FULLY_QUALIFIED)) {
                $classes[] = substr($token->text, 1);
            } elseif ($token->is([T_STRING, T_NAME_QUALIFIED]) && $before?->is(self::BEFORE_A_MEMBER) !== true) {
                [$first, $rest] = explode('\\', $token->text, 2) + [1 => null];
                $classes[] = ($imported[$first] ?? $namespace . $first) . ($rest === null ? '' : '\\' . $rest);
            }
        }

        return array_map(
            static fn(string $class): string => substr($class, \strlen('Larder\\')),
            array_filter(array_values(array_unique($classes)), static fn(string $class): bool => str_starts_with($class, 'Larder\\')),
        );
    }

    /** After these a name is one of a method, a property, a constant or a case. */
    private const BEFORE_A_MEMBER = [T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON, T_FUNCTION, T_CONST, T_CASE];
}
