<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Proof\Plan;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Signals;
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

    /** Microseconds between two looks. */
    private const LOOK = 5_000;

    /** Nanoseconds in one call after which a worker is spared, or no hang would ever show ... */
    private const SPARED_AFTER = 300_000_000;

    /** ... until it has been counted as one. */
    private const HUNG_AFTER = 4_000_000_000;

    private readonly Board $board;
    private readonly WorkerPool $pool;

    /** @param int $count of its workers; php-fpm has the number after theirs */
    public function __construct(private readonly Plan $plan, private readonly int $count)
    {
        $this->board = Board::open($plan->board, ClientTorture::series($plan->workers));
        $this->pool = new WorkerPool($this->work(...), $plan->seed, function (int $number): void {
            $this->board->set(ClientCount::CallBegan, 0, $number);
        });
    }

    public function run(): void
    {
        mt_srand($this->plan->seed);
        Signals::stop(function (): void {
            $this->pool->killAll();
        });
        $this->board->set('ready', 1);
        while ($this->board->get('end') === 0) {
            usleep(1000);
        }
        $this->pool->fill($this->count);
        $due = hrtime(true);
        while (($now = hrtime(true)) < $this->board->get('end')) {
            foreach ($this->pool->reap() as $end) {
                $this->ended($end);
                $this->pool->start($end->number);
            }
            if ($now >= $due && $this->count > 1) {
                $this->kill(mt_rand(1, $this->count - 1));
                $due = $now + mt_rand(...self::KILL_AFTER);
            }
            usleep(self::LOOK);
        }
        $this->pool->killAll();
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

    private function kill(int $number): void
    {
        $began = $this->board->get(ClientCount::CallBegan, $number);
        $age = $began === 0 ? 0 : hrtime(true) - $began;
        if ($age > self::SPARED_AFTER && $age < self::HUNG_AFTER) {
            return;
        }
        $end = $this->pool->kill($number);
        if ($end?->isKilled() === true) {
            $this->board->add(ClientCount::Kills, index: $number);
        } elseif ($end !== null) {
            $this->ended($end);
        }
    }

    private function ended(WorkerEnd $end): void
    {
        if ($end->code !== 0) {
            $this->plan->findings()->add("worker $end->number " . $end->reason());
        }
    }
}
