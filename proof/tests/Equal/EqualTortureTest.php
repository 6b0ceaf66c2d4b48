<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Equal;

use Larder\Proof\Equal\EqualTorture;
use Larder\Proof\Equal\Listed;
use Larder\Proof\Equal\Pair;
use Larder\Proof\Equal\Played;
use Larder\Proof\Equal\Way;
use Larder\Proof\Run;
use Larder\Tests\Support\Sql\Database;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Every listed statement of SQLite, and some random ones, are answered as PDO answers them. */
#[CoversClass(EqualTorture::class)]
#[CoversClass(Listed::class)]
#[CoversClass(Pair::class)]
#[CoversClass(Played::class)]
#[CoversClass(Way::class)]
final class EqualTortureTest extends TestCase
{
    public function testNothingDiffers(): void
    {
        $values = ['seed' => 3, 'commands' => 200, 'database' => 'sqlite', 'ways' => ['native']];
        $result = (new EqualTorture())->run(new Run($values, static function (): void {}));

        self::assertSame([], $result->figures['findings'] ?? null);
        self::assertSame(0, $result->exitCode());
        self::assertGreaterThan(500, $result->count('listed'));
        self::assertGreaterThan(150, $result->count('random'));
    }

    public function testEachListHasItsTables(): void
    {
        foreach (Listed::all(Database::MariaDb) as $list) {
            self::assertNotSame([], $list->schema, $list->name);
            self::assertGreaterThan(20, \count($list->statements), $list->name);
        }
    }
}
