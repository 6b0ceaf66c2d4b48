<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Demo;

use Larder\Proof\Demo\Crowd\Burst;
use Larder\Proof\Demo\Crowd\Crowd;
use Larder\Proof\Demo\Crowd\ExpiryTable;
use Larder\Proof\Demo\Crowd\Gate;
use Larder\Proof\Demo\Crowd\Queries;
use Larder\Proof\Demo\Crowd\Visit;
use Larder\Proof\Demo\Crowd\Way;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\BufferedOutput;

#[CoversClass(Burst::class)]
#[CoversClass(Crowd::class)]
#[CoversClass(ExpiryTable::class)]
#[CoversClass(Gate::class)]
#[CoversClass(Queries::class)]
#[CoversClass(Visit::class)]
final class CrowdTest extends TestCase
{
    private const VISITORS = 12;

    public function testOneExpiryIsAQueryOfEachVisitorOrOneOfAll(): void
    {
        if (!is_file(Extension::built())) {
            self::markTestSkipped('needs build/extension/larder.so: tools/extension build');
        }
        $directory = new TemporaryDirectory();
        self::fill($directory->path . '/items.sqlite');
        $crowd = new Crowd($directory->path, self::VISITORS, ['extension' => Extension::built()]);
        try {
            $plain = $crowd->burst(Way::Plain, 'memory');
            $remember = $crowd->burst(Way::Remember, 'memory');
            $cold = $crowd->burst(Way::Cold, 'memory');
        } finally {
            $crowd->stop();
            $directory->remove();
        }

        foreach ([$plain, $remember, $cold] as $burst) {
            self::assertSame(
                [0, self::VISITORS, Queries::COUNT],
                [$burst->wrong, \count($burst->milliseconds), \count($burst->queries)],
                $burst->way->value,
            );
        }
        self::assertGreaterThan(
            Queries::COUNT,
            array_sum($plain->queries),
            'Without protection more than one visitor asks the same.',
        );
        self::assertSame([false, true, true], [$plain->isOnce(), $remember->isOnce(), $cold->isOnce()]);
        self::assertGreaterThan(
            Queries::COUNT * Queries::MILLISECONDS,
            $cold->within(0.5),
            'Where there is nothing, all wait for what one makes.',
        );
    }

    public function testABurstIsCounted(): void
    {
        $burst = new Burst('memory', Way::Plain, [3, 1, 2], [1.0, 2.0, 3.0, 40.0], 1);

        self::assertSame(
            [2.0, 2.0, 40.0, 40.0],
            [$burst->queriesPerList(), $burst->within(0.5), $burst->within(0.99), $burst->within(1.0)],
        );
        self::assertSame(
            [
                'store' => 'memory',
                'visitors' => 4,
                'way' => 'get/set',
                'computes' => 6,
                'computes_per_query' => 2.0,
                'computes_per_query_most' => 3,
                'p50_ms' => 2.0,
                'p99_ms' => 40.0,
                'max_ms' => 40.0,
                'wrong' => 1,
            ],
            $burst->row(),
        );
        self::assertFalse($burst->isOnce());
        self::assertFalse((new Burst('memory', Way::Remember, [1, 1], [1.0], 1))->isOnce(), 'A wrong answer.');
        self::assertFalse((new Burst('memory', Way::Remember, [1, 0], [1.0], 0))->isOnce(), 'A list that nobody made.');
        self::assertTrue((new Burst('memory', Way::Remember, [1, 1], [1.0], 0))->isOnce());

        $output = new BufferedOutput();
        (new ExpiryTable([$burst]))->write($output);
        self::assertStringContainsString(
            '| memory | 4        | get/set | 2.0 (at most 3)    | 2      | 40     | 40     |',
            $output->fetch(),
        );
    }

    /** As many categories as the page has lists. */
    private static function fill(string $file): void
    {
        $database = new PDO('sqlite:' . $file, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $database->exec((string) file_get_contents(__DIR__ . '/../../../app/sql/schema.sqlite.sql'));
        $database->beginTransaction();
        foreach (range(1, 5 * Queries::COUNT) as $number) {
            $database->prepare('INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, ?, ?)')
                ->execute(['title ' . $number, 'S', 'B', 'category-' . $number % Queries::COUNT, 'Ann']);
        }
        $database->commit();
        $database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
}
