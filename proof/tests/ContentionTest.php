<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Contention\Failure;
use Larder\Sql\Exception\LedgerUnavailable;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use RuntimeException;

/** Which conflict of a server a writer met, also where Larder's error stands around it. */
#[CoversClass(Failure::class)]
final class ContentionTest extends TestCase
{
    #[TestWith(['40001', 1213, Failure::Deadlock])]
    #[TestWith(['40P01', 7, Failure::Deadlock])]
    #[TestWith(['HY000', 1205, Failure::LockTimeout])]
    #[TestWith(['55P03', 7, Failure::LockTimeout])]
    #[TestWith(['HY000', 1020, Failure::OldSnapshot])]
    #[TestWith(['40001', 7, Failure::OldSnapshot])]
    #[TestWith(['23000', 1062, Failure::Constraint])]
    #[TestWith(['42S02', 1146, Failure::Other])]
    public function testAnErrorHasItsKind(string $state, int $number, Failure $kind): void
    {
        $error = new PDOException('as the server says');
        $error->errorInfo = [$state, $number, ''];
        self::assertSame($kind, Failure::of($error));

        $around = LedgerUnavailable::during('making a change known', $error);
        self::assertSame($kind === Failure::Other ? Failure::Ledger : $kind, Failure::of($around));
    }

    /**
     * A kind that plain writers never met counts from its first failure on; one that they met, above three times it.
     *
     * @param array{int, int} $failed plain, recording
     */
    #[TestWith([[0, 0], false])]
    #[TestWith([[0, 1], true])]
    #[TestWith([[10, 40], false])]
    #[TestWith([[10, 41], true])]
    #[TestWith([[1, 13], false])]
    #[TestWith([[1, 14], true])]
    public function testAKindOfFailureIsMoreOnlyFarAboveThatOfPlainWriters(array $failed, bool $areMore): void
    {
        [$plain, $recording] = [10_000, 10_000];
        self::assertSame($areMore, Failure::areMore($failed, [$plain, $recording]));
        self::assertSame($areMore, Failure::areMore([$failed[0], 2 * $failed[1]], [$plain, 2 * $recording]));
    }

    public function testWhatIsNoErrorOfTheServerIsAnother(): void
    {
        self::assertSame(Failure::Other, Failure::of(new RuntimeException()));
    }
}
