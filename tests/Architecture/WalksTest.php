<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use Larder\Tests\Architecture\Walks\CountingCopy;
use Larder\Tests\Architecture\Walks\Longest;
use Larder\Tests\Architecture\Walks\Sources;
use Larder\Tests\Architecture\Walks\Walks;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/**
 * What one call costs on the example with SQLite: of what grows a little with each change nobody sees when it became
 * much. Who makes a walk shorter lowers its number here. Nothing is timed, so the numbers are the same on each machine.
 *
 * Each walk runs in a process of PHP of its own, in a copy of the library in which each function, method and closure
 * begins with a statement that adds 1. A constructor without statements counts, and so does an arrow function. A
 * generator counts once, and a function of PHP never. A page miss is a request as nginx hands it to the front
 * controller, until its last shutdown function. The request past the page cache goes the same way by POST.
 */
#[CoversNothing]
final class WalksTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    /** Calls of Larder's functions at most. */
    private const CALLS = [
        'remember(), hit' => 1,
        'remember(), miss' => 43,
        'remember() of a name, hit' => 2,
        'remember() of a name, miss' => 62,
        'SELECT to names, known text' => 34,
        'UPDATE by key, warm, no page falls' => 328,
        'UPDATE by key, warm, a page falls' => 374,
    ];

    /** Larder's files at most that a request reads. */
    private const FILES = [
        'request past the page cache, no query' => 30,
        'page miss, fresh process' => 100,
    ];

    /** What is longest in the library. */
    private const LONGEST = [
        'file, lines' => 870,
        'function, lines' => 171,
        'constructor, parameters' => 12,
    ];

    public function testNoWalkIsLongerThanItMayBe(): void
    {
        $sources = Sources::of((string) realpath(self::ROOT));
        $walks = self::walked($sources);
        $longest = Longest::in($sources);

        foreach (self::CALLS as $walk => $most) {
            self::assertLessThanOrEqual($most, $walks[$walk]['calls'], $walk);
            self::assertGreaterThan(0, $walks[$walk]['calls'], $walk);
        }
        foreach (self::FILES as $walk => $most) {
            $files = $walks[$walk]['files'];
            self::assertLessThanOrEqual($most, \count($files), "$walk reads\n" . implode("\n", $files));
            self::assertGreaterThan(10, \count($files), $walk);
        }
        foreach (self::LONGEST as $what => $most) {
            self::assertLessThanOrEqual($most, $longest[$what]['length'], $longest[$what]['where']);
        }
    }

    /** @return array<string, array{calls: int, files: list<string>}> by walk */
    private static function walked(Sources $sources): array
    {
        $copy = CountingCopy::of($sources);
        try {
            return (new Walks($copy, Extension::file()))->all();
        } finally {
            $copy->remove();
        }
    }
}
