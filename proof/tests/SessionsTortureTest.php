<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Sessions\Keeper;
use Larder\Proof\Sessions\SessionsTorture;
use Larder\Proof\Sessions\SessionTally;
use Larder\Proof\UnguardedStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** `script/torture sessions` without a guard, and what it counts. */
#[CoversClass(SessionsTorture::class)]
#[CoversClass(SessionTally::class)]
#[CoversClass(Keeper::class)]
#[CoversClass(UnguardedStore::class)]
final class SessionsTortureTest extends TestCase
{
    #[TestWith(['fence'])]
    #[TestWith(['end'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard): void
    {
        $found = Runs::found('sessions', '--kills=2000', "--without=$guard");

        self::assertNotSame([], $found['wrong'] ?? []);
    }

    public function testOthersAreOnlyShown(): void
    {
        $tally = new SessionTally();
        $tally->judge('id', '1 3 3', "1\n2\n", 3);
        $tally->judge('id', null, '', 1);

        self::assertSame([1, 1, 2], [$tally->lost, $tally->locked, $tally->rounds]);
        self::assertSame(1, $tally->result('/nowhere', Keeper::Memcached, 0, 50)->exitCode());
        $shown = $tally->result('/nowhere', Keeper::PhpMemcached, 1, 50);
        self::assertSame(0, $shown->exitCode());
        self::assertSame([
            '1 of the first 50 requests, which nothing disturbed, were refused',
            'round 1: 2 was answered 200 and is not in the session',
            'round 1: a mark is there twice',
            'round 2: the session could not be had at the end',
        ], $shown->figures['wrong']);
    }
}
