<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Larder\Dependency\Change;
use Larder\Dependency\Gate\WriterGates;
use Larder\Dependency\Gates;
use Larder\Exception\ChangeFailed;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use Larder\Tests\Store\RedisServers;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Many writers of one name at the same time come one after the other, and none of them fails. */
#[CoversClass(WriterGates::class)]
final class ContendedGatesTest extends TestCase
{
    private const WRITERS = 30;

    private const CHANGES = 20;

    public function testAGateThatManyWritersCloseIsNoStoreThatDoesNotAnswer(): void
    {
        $servers = new RedisServers();
        $pool = new WorkerPool(static function () use ($servers): array {
            $gates = new Gates($servers->store('predis'));
            $told = ['changes' => 0, 'failures' => []];
            for ($change = 0; $change < self::CHANGES; ++$change) {
                try {
                    $gates->change(['a'], static fn(Change $change) => $change->check());
                    ++$told['changes'];
                } catch (ChangeFailed $exception) {
                    $told['failures'][] = $exception->getMessage();
                }
            }

            return $told;
        });
        $pool->fill(self::WRITERS);
        $told = array_map(static fn(WorkerEnd $end): mixed => $end->result ?? $end->error, $pool->end(120.0));
        $left = $servers->store('predis')->has("\0va");
        $servers->stop();

        self::assertSame(array_fill(0, self::WRITERS, ['changes' => self::CHANGES, 'failures' => []]), $told);
        self::assertFalse($left, 'the last one has opened it');
    }
}
