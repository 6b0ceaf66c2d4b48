<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * What one call costs, counted by tools/walks: of what grows a little with each change nobody sees when it became much.
 * Who makes a walk shorter lowers its number here.
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
        'UPDATE by key, warm, no page falls' => 334,
        'UPDATE by key, warm, a page falls' => 382,
    ];

    /** Larder's files at most that a request reads. */
    private const FILES = [
        'request past the page cache, no query' => 30,
        'page miss, fresh process' => 103,
    ];

    /** What is longest in the library. */
    private const LONGEST = [
        'file, lines' => 870,
        'function, lines' => 171,
        'constructor, parameters' => 12,
    ];

    public function testNoWalkIsLongerThanItMayBe(): void
    {
        $counted = self::counted(self::ROOT);

        foreach (self::CALLS as $walk => $most) {
            self::assertLessThanOrEqual($most, $counted['walks'][$walk]['calls'], $walk);
            self::assertGreaterThan(0, $counted['walks'][$walk]['calls'], $walk);
        }
        foreach (self::FILES as $walk => $most) {
            $files = $counted['walks'][$walk]['files'];
            self::assertLessThanOrEqual($most, \count($files), "$walk reads\n" . implode("\n", $files));
            self::assertGreaterThan(10, \count($files), $walk);
        }
        foreach (self::LONGEST as $what => $most) {
            self::assertLessThanOrEqual($most, $counted['most'][$what]['length'], $counted['most'][$what]['where']);
        }
    }

    /**
     * @return array{
     *     walks: array<string, array{calls: int, files: list<string>, classes: int}>,
     *     most: array<string, array{length: int, where: string}>,
     * }
     */
    private static function counted(string $root): array
    {
        $command = [PHP_BINARY, self::ROOT . '/tools/walks', "--root=$root", '--format=json'];
        $process = new Process($command, timeout: null);
        $process->mustRun();
        /**
         * @var array{
         *     walks: array<string, array{calls: int, files: list<string>, classes: int}>,
         *     most: array<string, array{length: int, where: string}>,
         * } $counted
         */
        $counted = json_decode($process->getOutput(), true, flags: JSON_THROW_ON_ERROR);

        return $counted;
    }
}
