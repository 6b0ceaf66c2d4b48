<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Proof\KilledWorkers;
use Larder\Proof\Plan;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;

/**
 * Forks the workers and kills one of them again and again, but not the first, which lives as long as the run. Each has
 * another timeout. In the end it checks what all of them have left behind.
 */
final class WorkerGroup
{
    /** Milliseconds; the first one is the long-lived worker's. */
    private const TIMEOUTS = [50, 20, 35, 60, 100];

    /** Nanoseconds between two kills. */
    private const KILL_AFTER = [20_000_000, 250_000_000];

    /** Nanoseconds in one call after which a worker is spared. */
    private const SPARED_AFTER = 300_000_000;

    private readonly Board $board;

    /** @param int $count of its workers; php-fpm has the number after theirs */
    public function __construct(private readonly Plan $plan, private readonly int $count)
    {
        $this->board = Board::open($plan->board, ClientTorture::series($plan->workers));
    }

    public function run(): void
    {
        mt_srand($this->plan->seed);
        $pool = new WorkerPool($this->work(...), $this->plan->seed, function (int $number): void {
            $this->board->set(ClientCount::CallBegan, 0, $number);
        });
        (new KilledWorkers(
            $pool,
            $this->board,
            ClientCount::CallBegan,
            self::KILL_AFTER,
            self::SPARED_AFTER,
            fn(): ?int => $this->count > 1 ? mt_rand(1, $this->count - 1) : null,
            $this->ended(...),
        ))->run(range(0, $this->count - 1), 'ready');
    }

    /** After all workers are gone: reads every key straight from the servers. */
    public function checkAll(): void
    {
        $pool = (new ClientPools($this->plan->words))->patient();
        $keys = new ClientKeys($this->plan->workers);
        $judge = new ClientJudge($this->board, $keys, 0, $this->plan->findings());
        $calls = new KeyCalls($judge);
        foreach (array_merge(...array_map($keys->counters(...), range(0, $keys->workers - 1))) as $key) {
            $answer = $pool->read($keys->name($key));
            $count = \is_int($answer->value) ? abs($answer->value) : -1;
            $count = $answer->hit ? $count : 0;
            [$least, $most] = [$judge->acknowledged($key), $judge->begun($key)];
            if (!$answer->answered || $count < $least || $count > $most) {
                $judge->wrong('at the end', $key, "the counter is at $count, but it is $least to $most");
            }
        }
        for ($sum = 0; $sum < ClientKeys::SUMS; ++$sum) {
            $value = $pool->get(ClientKeys::sum($sum), ['sum' => 0]);
            $found = \is_array($value) ? $value['sum'] ?? null : null;
            [$least, $most] = SharedKeys::bounds($sum, $judge);
            if (!\is_int($found) || $found < $least || $found > $most) {
                $shown = json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR);
                $judge->wrong('at the end', $sum, "$shown, but the sum is $least to $most");
            }
        }
        foreach (range(0, $keys->workers * ClientKeys::PER_WORKER - 1) as $key) {
            if ($keys->isValue($key)) {
                $calls->answered($key, $pool->read($keys->name($key)), $judge->acknowledged($key), 'at the end');
            }
        }
    }

    private function work(int $number): never
    {
        $timeout = self::TIMEOUTS[$number === 0 ? 0 : mt_rand(0, \count(self::TIMEOUTS) - 1)];
        (new ClientWorker($this->plan, $this->board, $number, $timeout))->work($this->board->get('end'));
        // As a program ends, with all that the extension does then.
        exit(0);
    }

    private function ended(WorkerEnd $end, bool $isOurs): void
    {
        if ($isOurs) {
            $this->board->add(ClientCount::Kills, index: $end->number);
        } elseif ($end->code !== 0) {
            $this->plan->findings()->add("worker $end->number " . $end->reason());
        }
    }
}
