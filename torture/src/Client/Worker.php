<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Closure;
use Larder\Memcached;

/** Makes one random call after the other, of every method that the class has, and looks at what it gives. */
final readonly class Worker
{
    private const MOST = 200;

    private Memcached $pool;
    private Calls $calls;
    private Judge $judge;
    private Notes $notes;
    private Keys $keys;
    private Steps $steps;
    private Many $many;
    private Contender $contender;
    private Swing $swing;

    /** @param int $timeout milliseconds */
    public function __construct(Plan $plan, Notes $notes, private int $seat, int $timeout)
    {
        $this->notes = $notes;
        $this->keys = $plan->keys();
        $this->pool = $plan->pool($timeout);
        $this->calls = new Calls($notes, $seat, $timeout, $plan->lateness());
        $this->judge = new Judge($notes, $this->keys, $seat, $plan->findings());
        $this->steps = new Steps($this->judge);
        $this->many = new Many($this->pool, $this->calls, $this->judge, $this->steps);
        $this->contender = new Contender($this->pool, $plan->leasing($timeout), $this->calls, $this->judge);
        $this->swing = new Swing($this->pool, $this->calls, $this->judge);
        $notes->noteSeat($seat, Note::Process, (int) getmypid());
        $notes->noteSeat($seat, Note::Began, 0);
        $notes->add($seat, Note::Lives);
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

    /** Big values, one after the other. */
    public function bigs(): void
    {
        for ($i = 0; $i < 20; ++$i) {
            $this->big();
        }
    }

    private function call(): void
    {
        $dice = mt_rand(1, 1000);
        if ($dice <= 700) {
            $this->step($this->single()());

            return;
        }
        match (true) {
            $dice <= 760 => $this->many->get($this->some($this->keys->anyValue(...), self::count())),
            $dice <= 790 => $this->many->read($this->some($this->keys->anyValue(...), self::count())),
            $dice <= 820 => $this->many->set($this->some($this->ownValue(...), self::count())),
            $dice <= 830 => $this->many->cas($this->some($this->ownValue(...), self::count())),
            $dice <= 836 => $this->many->delete($this->some($this->ownValue(...), mt_rand(0, 20))),
            $dice <= 842 => $this->many->touch($this->some($this->ownValue(...), mt_rand(0, 50))),
            $dice <= 860 => $this->many->count($this->some($this->counter(...), mt_rand(0, 8))),
            $dice <= 870 => $this->many->append($this->logs(mt_rand(0, 5))),
            $dice <= 900 => $this->pipeline(),
            $dice <= 940 => $this->contender->lease(),
            $dice <= 970 => $this->contender->sum(),
            $dice <= 980 => $this->swing->count(),
            $dice <= 990 => $this->big(),
            default => $this->rare($dice),
        };
    }

    /** @return Closure(): Step */
    private function single(): Closure
    {
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 45 => fn(): Step => $this->steps->read($this->keys->anyValue()),
            $dice <= 48 => fn(): Step => $this->steps->has($this->keys->anyValue()),
            $dice <= 72 => fn(): Step => $this->steps->write($this->ownValue()),
            $dice <= 75 => fn(): Step => $this->steps->delete($this->ownValue()),
            $dice <= 79 => fn(): Step => $this->steps->touch($this->ownValue()),
            $dice <= 90 => fn(): Step => $this->steps->count($this->counter()),
            $dice <= 96 => fn(): Step => $this->steps->log($this->keys->log($this->seat)),
            default => fn(): Step => $this->steps->readLog($this->keys->log($this->seat)),
        };
    }

    private function step(Step $step): void
    {
        ($step->check)($this->calls->of($step->name, fn(): mixed => ($step->call)($this->pool)));
    }

    /** Each key is in it once: what a call on it may find is noted before any of them is made. */
    private function pipeline(): void
    {
        $makers = $this->some($this->ownValue(...), mt_rand(0, 60));
        $makers = array_map(fn(int $key): Closure => match (mt_rand(0, 4)) {
            0, 1 => fn(): Step => $this->steps->read($key),
            2 => fn(): Step => $this->steps->write($key),
            3 => fn(): Step => $this->steps->has($key),
            default => fn(): Step => $this->steps->delete($key),
        }, $makers);
        foreach ($this->some($this->counter(...), mt_rand(0, 3)) as $key) {
            $makers[] = fn(): Step => $this->steps->count($key);
        }
        foreach ($this->some(fn(): int => $this->keys->log($this->seat), mt_rand(0, 3)) as $key) {
            $makers[] = fn(): Step => $this->steps->log($key);
        }
        shuffle($makers);
        $this->many->pipeline($makers);
    }

    private function big(): void
    {
        match (mt_rand(0, 4)) {
            0 => $this->many->get($this->some($this->keys->anyBig(...), mt_rand(1, 8))),
            1 => $this->many->set($this->some(fn(): int => $this->keys->big($this->seat), mt_rand(1, 4))),
            2 => $this->step($this->steps->write($this->keys->big($this->seat))),
            default => $this->step($this->steps->read($this->keys->anyBig())),
        };
    }

    private function rare(int $dice): void
    {
        $key = $this->ownValue();
        match ($dice) {
            991 => $this->calls->of('version', $this->pool->version(...)),
            992 => $this->calls->of('stats', $this->pool->stats(...)),
            993 => $this->calls->of('info', $this->pool->info(...)),
            994 => mt_rand(0, 5) === 0 ? $this->pool->close() : null,
            995 => $this->calls->of('serverOf', fn(): string => $this->pool->serverOf($this->keys->name($key))),
            996 => $this->calls->of('failures', $this->pool->failures(...)),
            default => $this->cas($key),
        };
    }

    private function cas(int $key): void
    {
        $from = $this->notes->acknowledged($key);
        $answer = $this->calls->of('read', fn() => $this->pool->read($this->keys->name($key)));
        $this->steps->answered($key, $answer, $from, 'read');
        if ($answer->hit) {
            $this->step($this->steps->cas($key, $answer->version));
        }
    }

    private function ownValue(): int
    {
        return $this->keys->value($this->seat);
    }

    private function counter(): int
    {
        return $this->keys->counter($this->seat);
    }

    /** @return list<int> logs that grow at their end, and have begun */
    private function logs(int $count): array
    {
        return array_values(array_filter($this->some(fn(): int => $this->keys->log($this->seat), $count), fn(int $key): bool => $key % 2 === 0 && $this->judge->lengthOfLog($key) > 0));
    }

    private static function count(): int
    {
        return mt_rand(1, 10) === 1 ? mt_rand(0, self::MOST) : mt_rand(0, 20);
    }

    /**
     * @param Closure(): int $key
     *
     * @return list<int> different ones, so perhaps fewer
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
