<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Closure;
use Larder\Memcached;
use Larder\Proof\Plan;
use Larder\Testbed\Process\Board;

/** Makes one random call after the other, of every method that the class has, and checks the result. */
final readonly class ClientWorker
{
    /** Keys of a call for many. */
    private const MOST = 200;

    private Memcached $pool;
    private CallTimer $timer;
    private ClientJudge $judge;
    private ClientKeys $keys;
    private KeyCalls $calls;
    private BatchCalls $batch;
    private SharedKeys $shared;
    private SignedCounters $signed;

    /** @param int $timeout milliseconds */
    public function __construct(Plan $plan, Board $board, private int $number, int $timeout)
    {
        $pools = new ClientPools($plan->words);
        $this->keys = new ClientKeys($plan->workers);
        $this->pool = $pools->values($timeout);
        $this->timer = new CallTimer($board, $number, $timeout, new Lateness($plan->directory));
        $this->judge = new ClientJudge($board, $this->keys, $number, $plan->findings());
        $this->calls = new KeyCalls($this->judge);
        $this->batch = new BatchCalls($this->pool, $this->timer, $this->judge, $this->calls);
        $this->shared = new SharedKeys($this->pool, $pools->leases($timeout), $this->timer, $this->judge);
        $this->signed = new SignedCounters($this->pool, $this->timer, $this->judge);
        $board->set(ClientCount::ProcessId, (int) getmypid(), $number);
        $board->set(ClientCount::CallBegan, 0, $number);
        $board->add(ClientCount::Lives, index: $number);
    }

    /** @param int $until nanoseconds */
    public function work(int $until): void
    {
        $parent = posix_getppid();
        for ($i = 1; hrtime(true) < $until; ++$i) {
            $this->call();
            if ($i % 100 === 0 && posix_getppid() !== $parent) {
                break;
            }
        }
    }

    public function calls(int $count): void
    {
        for ($i = 0; $i < $count; ++$i) {
            $this->call();
        }
    }

    /** Makes calls for long values. */
    public function longValues(): void
    {
        for ($i = 0; $i < 20; ++$i) {
            $this->longValue();
        }
    }

    private function call(): void
    {
        $dice = mt_rand(1, 1000);
        if ($dice <= 700) {
            $this->single($this->one()());

            return;
        }
        match (true) {
            $dice <= 760 => $this->batch->get($this->some($this->keys->anyValue(...), self::count())),
            $dice <= 790 => $this->batch->read($this->some($this->keys->anyValue(...), self::count())),
            $dice <= 820 => $this->batch->set($this->some($this->ownValue(...), self::count())),
            $dice <= 830 => $this->batch->cas($this->some($this->ownValue(...), self::count())),
            $dice <= 836 => $this->batch->delete($this->some($this->ownValue(...), mt_rand(0, 20))),
            $dice <= 842 => $this->batch->touch($this->some($this->ownValue(...), mt_rand(0, 50))),
            $dice <= 860 => $this->batch->count($this->some($this->counter(...), mt_rand(0, 8))),
            $dice <= 870 => $this->batch->append($this->logs(mt_rand(0, 5))),
            $dice <= 900 => $this->pipeline(),
            $dice <= 940 => $this->shared->lease(),
            $dice <= 970 => $this->shared->sum(),
            $dice <= 980 => $this->signed->count(),
            $dice <= 990 => $this->longValue(),
            default => $this->rare($dice),
        };
    }

    /** @return Closure(): KeyCall */
    private function one(): Closure
    {
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 45 => fn(): KeyCall => $this->calls->read($this->keys->anyValue()),
            $dice <= 48 => fn(): KeyCall => $this->calls->has($this->keys->anyValue()),
            $dice <= 72 => fn(): KeyCall => $this->calls->write($this->ownValue()),
            $dice <= 75 => fn(): KeyCall => $this->calls->delete($this->ownValue()),
            $dice <= 79 => fn(): KeyCall => $this->calls->touch($this->ownValue()),
            $dice <= 90 => fn(): KeyCall => $this->calls->count($this->counter()),
            $dice <= 96 => fn(): KeyCall => $this->calls->log($this->keys->log($this->number)),
            default => fn(): KeyCall => $this->calls->readLog($this->keys->log($this->number)),
        };
    }

    private function single(KeyCall $call): void
    {
        ($call->check)($this->timer->time($call->name, fn(): mixed => ($call->send)($this->pool)));
    }

    /** Each key occurs once, since what a call may find is noted before any of them is made. */
    private function pipeline(): void
    {
        $makers = $this->some($this->ownValue(...), mt_rand(0, 60));
        $makers = array_map(fn(int $key): Closure => match (mt_rand(0, 4)) {
            0, 1 => fn(): KeyCall => $this->calls->read($key),
            2 => fn(): KeyCall => $this->calls->write($key),
            3 => fn(): KeyCall => $this->calls->has($key),
            default => fn(): KeyCall => $this->calls->delete($key),
        }, $makers);
        foreach ($this->some($this->counter(...), mt_rand(0, 3)) as $key) {
            $makers[] = fn(): KeyCall => $this->calls->count($key);
        }
        foreach ($this->some(fn(): int => $this->keys->log($this->number), mt_rand(0, 3)) as $key) {
            $makers[] = fn(): KeyCall => $this->calls->log($key);
        }
        shuffle($makers);
        $this->batch->pipeline($makers);
    }

    private function longValue(): void
    {
        match (mt_rand(0, 4)) {
            0 => $this->batch->get($this->some($this->keys->anyLong(...), mt_rand(1, 8))),
            1 => $this->batch->set($this->some(fn(): int => $this->keys->long($this->number), mt_rand(1, 4))),
            2 => $this->single($this->calls->write($this->keys->long($this->number))),
            default => $this->single($this->calls->read($this->keys->anyLong())),
        };
    }

    private function rare(int $dice): void
    {
        $key = $this->ownValue();
        match ($dice) {
            991 => $this->timer->time('version', $this->pool->version(...)),
            992 => $this->timer->time('stats', $this->pool->stats(...)),
            993 => $this->timer->time('info', $this->pool->info(...)),
            994 => mt_rand(0, 5) === 0 ? $this->pool->close() : null,
            995 => $this->timer->time('serverOf', fn(): string => $this->pool->serverOf($this->keys->name($key))),
            996 => $this->timer->time('failures', $this->pool->failures(...)),
            default => $this->cas($key),
        };
    }

    private function cas(int $key): void
    {
        $from = $this->judge->acknowledged($key);
        $answer = $this->timer->time('read', fn() => $this->pool->read($this->keys->name($key)));
        $this->calls->answered($key, $answer, $from, 'read');
        if ($answer->hit) {
            $this->single($this->calls->cas($key, $answer->version));
        }
    }

    private function ownValue(): int
    {
        return $this->keys->value($this->number);
    }

    private function counter(): int
    {
        return $this->keys->counter($this->number);
    }

    /** @return list<int> logs that have begun and grow at their end */
    private function logs(int $count): array
    {
        $logs = $this->some(fn(): int => $this->keys->log($this->number), $count);
        $isOne = fn(int $key): bool => $key % 2 === 0 && $this->judge->lengthOfLog($key) > 0;

        return array_values(array_filter($logs, $isOne));
    }

    private static function count(): int
    {
        return mt_rand(1, 10) === 1 ? mt_rand(0, self::MOST) : mt_rand(0, 20);
    }

    /**
     * @param Closure(): int $key
     *
     * @return list<int> different keys, so perhaps fewer
     */
    private function some(Closure $key, int $count): array
    {
        $keys = [];
        for ($i = 0; $i < $count; ++$i) {
            $keys[$key()] = true;
        }

        return array_keys($keys);
    }
}
