<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use Larder\Tests\Support\PackageFiles;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** Files that use each other in a circle can only be understood, tested and replaced together. So there are none. */
#[CoversNothing]
final class CirclesTest extends TestCase
{
    /** All packages together, so that no circle leads through two of them. */
    #[TestWith(['packages/*', 400])]
    #[TestWith(['app', 30])]
    public function testThereIsNoCircleOfFiles(string $packages, int $least): void
    {
        $files = array_map(
            static fn(string $path): string => (string) file_get_contents($path),
            PackageFiles::of($packages),
        );
        self::assertGreaterThan($least, \count($files));

        self::assertSame([], self::circles($files));
    }

    public function testACircleIsFound(): void
    {
        $files = [
            'A' => '<?php use B\C\{D, F}; final class A { public function d(): D { return new D(); } }',
            'B\C\D' => '<?php namespace B\C; final class D { public function __construct(private E $e) {} }',
            'B\C\E' => '<?php namespace B\C; use A as First; final class E { public const A = First::class; }',
            'B\C\F' => '<?php namespace B\C; /** Like D and G. */ final class F extends E { public int $g = G::G; }',
            'B\C\G' => '<?php namespace B\C; final class G { public const F = 1; public function F(): void {} }',
            'B\H' => '<?php namespace B; final class H { public ?\A $a; public C\F $f; }',
        ];

        self::assertSame(['A, B\C\D, B\C\E'], self::circles($files));
    }

    /**
     * @param array<string, string> $files PHP by class
     *
     * @return list<string> the classes of each circle
     */
    private static function circles(array $files): array
    {
        $uses = [];
        foreach ($files as $class => $php) {
            $others = array_diff(array_keys($files), [$class]);
            $uses[$class] = array_values(array_intersect(Names::classesIn($php), $others));
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
                $returns = static fn(string $other): bool => isset($reached[$other][$class]);
                $circle = array_filter(array_keys($others), $returns);
                sort($circle);
                $circles[] = implode(', ', $circle);
            }
        }

        return array_values(array_unique($circles));
    }
}
