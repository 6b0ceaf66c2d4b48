<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

/**
 * Forks the workers and kills one of them every now and then, but for the first, which lives as long as the run; each has another
 * timeout. In the end it looks at what all of them have left behind.
 */
final class Nursery
{
    /** Milliseconds; the first one is the long-lived worker's. */
    private const TIMEOUTS = [50, 20, 35, 60, 100];

    /** Nanoseconds between two kills. */
    private const KILL_AFTER = [20_000_000, 250_000_000];

    /** Microseconds between two looks. */
    private const LOOK = 5_000;

    /** Nanoseconds: one that has been in a call for so long is left alone, or no hang would ever show ... */
    private const SPARED_AFTER = 300_000_000;

    /** ... until it has been counted as one. */
    private const HUNG_AFTER = 4_000_000_000;

    /** @var array<int, int> process by seat */
    private array $workers = [];

    private readonly Notes $notes;
    private int $lives = 0;

    /** @param int $seats as many are its own; php-fpm has the one after them */
    public function __construct(
        private readonly Plan $plan,
        private readonly int $seats,
    ) {
        $this->notes = $plan->notes();
    }

    public function run(): void
    {
        mt_srand($this->plan->seed);
        pcntl_async_signals(true);
        pcntl_signal(SIGTERM, function (): never {
            $this->end();
            exit(0);
        });
        Sealed::make(0, 1, true);   // What it makes once, no worker needs to make.
        for ($seat = 0; $seat < $this->seats; ++$seat) {
            $this->seat($seat);
        }
        $due = hrtime(true);
        while (($now = hrtime(true)) < $this->notes->end()) {
            foreach ($this->workers as $seat => $process) {
                if (pcntl_waitpid($process, $status, WNOHANG) === $process) {
                    $this->gone($seat, \is_int($status) ? $status : 0);
                    $this->seat($seat);
                }
            }
            if ($now >= $due && $this->seats > 1) {
                $this->kill(mt_rand(1, $this->seats - 1));
                $due = $now + mt_rand(...self::KILL_AFTER);
            }
            usleep(self::LOOK);
        }
        $this->end();
    }

    /** Straight from the servers, when nobody is there any more. */
    public function lookRound(): void
    {
        $pool = $this->plan->undisturbed();
        $keys = $this->plan->keys();
        $judge = new Judge($this->notes, $keys, 0, $this->plan->findings());
        $steps = new Steps($judge);
        $counters = array_merge(...array_map($keys->counters(...), range(0, $this->plan->seats - 1)));
        foreach ($counters as $key) {
            $answer = $pool->read($keys->name($key));
            $count = $answer->hit && \is_int($answer->value) ? abs($answer->value) : ($answer->hit ? -1 : 0);
            if (!$answer->answered || $count < $this->notes->acknowledged($key) || $count > $this->notes->begun($key)) {
                $judge->wrong('at the end', $key, \sprintf('the counter is at %d, but %d were acknowledged and %d begun', $count, $this->notes->acknowledged($key), $this->notes->begun($key)));
            }
        }
        for ($sum = 0; $sum < Keys::SUMS; ++$sum) {
            $value = $pool->get(Keys::sum($sum), ['sum' => 0]);
            [$least, $most] = Contender::bounds($sum, $this->notes, $keys);
            if (!\is_array($value) || !\is_int($value['sum'] ?? null) || $value['sum'] < $least || $value['sum'] > $most) {
                $judge->wrong('at the end', $sum, json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR) . ", but the sum is $least to $most");
            }
        }
        foreach (range(0, $this->plan->seats * Keys::SEAT - 1) as $key) {
            if ($keys->isValue($key)) {
                $steps->answered($key, $pool->read($keys->name($key)), $this->notes->acknowledged($key), 'at the end');
            }
        }
    }

    private function seat(int $seat): void
    {
        $seed = $this->plan->seed + 1000 * ++$this->lives + $seat;
        $timeout = $seat === 0 ? self::TIMEOUTS[0] : self::TIMEOUTS[array_rand(self::TIMEOUTS)];
        $this->notes->noteSeat($seat, Note::Began, 0);
        $child = pcntl_fork();
        if ($child === 0) {
            pcntl_signal(SIGTERM, SIG_DFL);
            mt_srand($seed);
            try {
                (new Worker($this->plan, $this->notes, $seat, $timeout))->work($this->notes->end());
            } catch (\Throwable $failure) {
                $this->plan->findings()->add('a worker failed: ' . $failure->getMessage() . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
            }
            exit(0);
        }
        $this->workers[$seat] = $child;
    }

    private function kill(int $seat): void
    {
        $began = $this->notes->seat($seat, Note::Began);
        $age = $began === 0 ? 0 : hrtime(true) - $began;
        if ($age > self::SPARED_AFTER && $age < self::HUNG_AFTER) {
            return;
        }
        posix_kill($this->workers[$seat], SIGKILL);
        pcntl_waitpid($this->workers[$seat], $status);
        $status = \is_int($status) ? $status : 0;
        if (pcntl_wifsignaled($status) && pcntl_wtermsig($status) === SIGKILL) {
            $this->notes->add($seat, Note::Kills);
        } else {
            $this->gone($seat, $status);
        }
        $this->seat($seat);
    }

    private function gone(int $seat, int $status): void
    {
        if (!pcntl_wifexited($status) || pcntl_wexitstatus($status) !== 0) {
            $this->plan->findings()->add("the worker on seat $seat " . (pcntl_wifsignaled($status) ? 'died of signal ' . pcntl_wtermsig($status) : 'ended with code ' . pcntl_wexitstatus($status)));
        }
    }

    private function end(): void
    {
        foreach ($this->workers as $process) {
            posix_kill($process, SIGKILL);
            pcntl_waitpid($process, $status);
        }
        $this->workers = [];
    }
}
