<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Proof\KilledWorkers;
use Larder\Proof\Plan;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Value\SealedValue;

/**
 * Forks some of the workers, and kills one in the middle of its work every few milliseconds.
 *
 * A worker that shares is a short request, since the values that it has got hold back all freed memory until it ends. A
 * worker that copies goes on until it is killed, and the last of those is mostly spared, so that one always lives long.
 */
final class WorkerGroup
{
    /** Nanoseconds between two kills. */
    private const KILL_AFTER = [4_000_000, 22_000_000];

    /** Milliseconds that a worker which shares works at most. */
    private const REQUEST = [5, 25];

    /** Nanoseconds in one operation after which a worker is spared. */
    private const SPARED_AFTER = 100_000_000;

    /** One of this many workers dies at a fault point. */
    private const FAULT_SHARE = 8;

    /** One of this many kills may hit the worker that is spared. */
    private const LONG_LIVED_SHARE = 40;

    private readonly MemoryKeys $keys;
    private readonly Board $board;
    private readonly Findings $findings;

    /** @var array<int, int> when each worker was forked, in nanoseconds, by number */
    private array $forked = [];

    /** @var array<int, string> the fault point at which a worker is to die, by number */
    private array $faults = [];

    /** @param non-empty-list<int> $numbers of its workers */
    public function __construct(
        private readonly Plan $plan,
        private readonly int $group,
        private readonly array $numbers,
        private readonly bool $shares,
    ) {
        $this->keys = new MemoryKeys(MemoryTorture::KEYS, $plan->workers);
        $this->board = Board::open($plan->board, MemoryTorture::series($plan->workers));
        $this->findings = $plan->findings();
    }

    public function run(): void
    {
        mt_srand($this->plan->seed + $this->group);
        // Loads the class before the forks.
        (new SealedValue(0, 0))->text(0);
        (new KilledWorkers(
            new WorkerPool($this->work(...), $this->plan->seed + 1_000_000 * $this->group, $this->prepare(...)),
            $this->board,
            WorkerCount::OperationBegan,
            self::KILL_AFTER,
            self::SPARED_AFTER,
            $this->victim(...),
            $this->ended(...),
        ))->run($this->numbers, GroupCount::Ready, $this->group);
    }

    /** After all workers are gone: checks every key, asks the store for its figures, and empties it. */
    public function checkAll(): void
    {
        $store = new SharedMemory();
        $number = $this->numbers[0];
        $worker = new MemoryWorker($store, $this->board, $this->keys, $number, $this->shares, $this->findings);
        if ($worker->checkAll() === 0) {
            $this->findings->add('after the last kill the store takes nothing any more');
        }
        $info = json_encode($store->info(), JSON_PARTIAL_OUTPUT_ON_ERROR);
        file_put_contents($this->plan->directory . '/info.json', $info);
        $store->clear();
        for ($i = 0; $i < $this->keys->count; ++$i) {
            $store->set('left', $i);
        }
        $store->clear();
        $left = $store->info()['bytesUsed'];
        $this->board->set(GroupCount::BytesLeftAfterClear, \is_int($left) ? $left : 0, $this->group);
    }

    private function prepare(int $number): void
    {
        $this->forked[$number] = (int) hrtime(true);
        $this->board->set(WorkerCount::OperationBegan, $this->forked[$number], $number);
        unset($this->faults[$number]);
        if ($this->plan->words !== [] && mt_rand(1, self::FAULT_SHARE) === 1) {
            $this->faults[$number] = $this->plan->words[array_rand($this->plan->words)] . ':' . mt_rand(1, 300);
        }
    }

    private function work(int $number): never
    {
        if (isset($this->faults[$number])) {
            putenv('LARDER_FAULT=' . $this->faults[$number]);
        }
        $store = new SharedMemory();
        $worker = new MemoryWorker($store, $this->board, $this->keys, $number, $this->shares, $this->findings);
        $worker->work($this->shares ? mt_rand(...self::REQUEST) / 1000 : 86_400.0);
        // As a request ends, with all that the extension does then.
        exit(0);
    }

    private function victim(): ?int
    {
        $spared = !$this->shares && mt_rand(1, self::LONG_LIVED_SHARE) > 1 ? max($this->numbers) : -1;
        $working = array_filter($this->numbers, fn(int $number): bool => $number !== $spared
            && $this->board->get(WorkerCount::OperationBegan, $number) !== $this->forked[$number]);

        return $working === [] ? null : $working[array_rand($working)];
    }

    private function ended(WorkerEnd $end, bool $isOurs): void
    {
        $count = match (true) {
            $isOurs => GroupCount::KillsFromOutside,
            $end->code === 0 => GroupCount::Ends,
            isset($this->faults[$end->number]) && $end->isKilled() => GroupCount::KillsAtFaultPoints,
            default => null,
        };
        if ($count === null) {
            $this->findings->add('a worker ' . $end->reason());
        } else {
            $this->board->add($count, index: $this->group);
        }
    }
}
