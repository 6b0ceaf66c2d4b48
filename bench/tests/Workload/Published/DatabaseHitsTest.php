<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Published;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Tests\Workload\Stampede\FileCache;
use Larder\Bench\Workload\Published\DatabaseHits;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(DatabaseHits::class)]
final class DatabaseHitsTest extends TestCase
{
    public function testIsLaidOutLikeTheSourcesLog(): void
    {
        $directory = new TemporaryDirectory();
        try {
            $hits = new DatabaseHits([
                'Wrapper' => self::definition('With a lock'),
                'Memcached' => self::definition('Without one', 'unlocked'),
                'Broken' => new Definition(
                    'broken',
                    'Broken',
                    FileCache::class,
                    static fn(): FileCache => throw new RuntimeException('cannot be made'),
                ),
                'Absent' => new Definition(
                    'absent',
                    'Absent',
                    FileCache::class,
                    static fn(): FileCache => new FileCache(),
                    extensions: ['larder_of_old'],
                ),
            ], visitors: 24, life: 2.0, compute: 0.1, seconds: 2.6, pace: 40.0);
            $published = $hits->run(static fn(): array => [], $directory->path, static fn() => null);
        } finally {
            $directory->remove();
        }
        [$wrapper, $memcached, $broken, $absent] = explode("\n\n", $published->text);
        $line = static fn(string $word): string => '\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d UTC\] ' . $word
            . ' database hit: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n';
        self::assertMatchesRegularExpression(
            '/^With a lock:\n(' . $line('Wrapper') . '){2}2 database hits in 2\.6 s, 2 expiries: 1 \+ 1$/D',
            $wrapper,
        );
        self::assertMatchesRegularExpression(
            '/^Without one:\n(' . $line('Memcached')
                . '|\.\.\. and \d+ more in this second\n){3,}\d+ database hits in 2\.6 s, 2 expiries: 1 \+ '
                . '(?!1$)\d+$/D',
            $memcached,
        );
        self::assertSame('Broken: failed: cannot be made', $broken);
        self::assertSame("Absent: PHP has no extension larder_of_old\n", $absent);
        self::assertSame('database-hits', $published->test);
        self::assertStringContainsString('24 concurrent visitors', $published->title);
    }

    private static function definition(string $title, string $fault = 'none'): Definition
    {
        return new Definition($fault, $title, FileCache::class, static fn(): FileCache => new FileCache($fault));
    }
}
