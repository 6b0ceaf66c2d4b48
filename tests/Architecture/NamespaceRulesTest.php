<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * A rule that cannot fail proves nothing: runs the rules over small classes, each of which breaks exactly one.
 */
#[CoversNothing]
final class NamespaceRulesTest extends TestCase
{
    public function testEachBrokenFixtureIsReportedAndNoOther(): void
    {
        self::assertSame(self::fixtures('broken'), self::reported());
    }

    public function testThereAreFixturesThatKeepTheRules(): void
    {
        self::assertNotEmpty(self::fixtures('kept'));
    }

    /** @return list<string> */
    private static function fixtures(string $directory): array
    {
        $files = glob(__DIR__ . '/fixtures/' . $directory . '/*.php');
        self::assertIsArray($files);

        return self::names($files);
    }

    /** @return list<string> the fixtures that PHPStan finds something in */
    private static function reported(): array
    {
        $phpstan = new Process(
            [\PHP_BINARY, 'vendor/bin/phpstan', 'analyse', '--configuration=' . __DIR__ . '/fixtures/phpstan.neon',
                '--error-format=json', '--no-progress', '--memory-limit=512M'],
            \dirname(__DIR__, 2),
        );
        $phpstan->setTimeout(600)->run();
        $report = json_decode($phpstan->getOutput(), true);
        self::assertIsArray($report, $phpstan->getErrorOutput());
        self::assertSame([], $report['errors'] ?? null);
        self::assertIsArray($report['files']);

        return self::names(array_map(strval(...), array_keys($report['files'])));
    }

    /**
     * @param list<string> $files
     *
     * @return list<string>
     */
    private static function names(array $files): array
    {
        $names = array_map(static fn(string $file): string => basename($file, '.php'), $files);
        sort($names);

        return $names;
    }
}
