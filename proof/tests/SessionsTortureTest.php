<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Sessions\Keeper;
use Larder\Proof\Sessions\SessionsTorture;
use Larder\Proof\Sessions\SessionTally;
use Larder\Proof\TortureCommand;
use Larder\Proof\UnguardedStore;
use Larder\Testbed\Process\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** `script/torture sessions` in small. */
#[CoversClass(SessionsTorture::class)]
#[CoversClass(SessionTally::class)]
#[CoversClass(Keeper::class)]
#[CoversClass(UnguardedStore::class)]
final class SessionsTortureTest extends TestCase
{
    #[TestWith(['larder-memcached'])]
    #[TestWith(['larder-redis'])]
    #[TestWith(['larder-memory'])]
    public function testNothingThatWasAnsweredIsLost(string $keeper): void
    {
        $found = self::torture('--kills=15', '--keeper=' . $keeper);

        $refusals = json_encode($found['refusals']);
        self::assertSame([0, 0, []], [$found['lost'], $found['still_locked'], $found['wrong']], (string) $refusals);
        self::assertSame(0, $found['first_refused']);
        self::assertGreaterThan(50, $found['answered']);
    }

    #[TestWith(['fence', '120'])]
    #[TestWith(['end', '60'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard, string $kills): void
    {
        $found = Runs::until(['wrong'], static fn(): array => self::torture("--without=$guard", "--kills=$kills"));

        self::assertNotSame([], $found['wrong']);
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

    /** @return array<array-key, mixed> */
    private static function torture(string ...$arguments): array
    {
        try {
            Extension::at(null);
        } catch (RuntimeException $exception) {
            self::markTestSkipped('needs the extension: ' . $exception->getMessage());
        }
        $process = new Process(
            [
                PHP_BINARY, TortureCommand::script(), 'sessions', '--seed=1', '--format=json',
                ...array_values($arguments),
            ],
            timeout: 600,
        );
        $process->run();
        $result = json_decode($process->getOutput(), true);

        return \is_array($result) ? $result : self::fail($process->getErrorOutput() . $process->getOutput());
    }
}
