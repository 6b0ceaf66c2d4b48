<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Closure;
use Larder\Testbed\Process\Board;

/** Makes calls and measures how long they take after their deadline. */
final class CallTimer
{
    /** The part of a deadline that a call may take beyond it. */
    private const OVER = 0.1;

    /** @var resource|null */
    private $schedule;

    /** @param int $timeout milliseconds */
    public function __construct(
        private readonly Board $board,
        private readonly int $worker,
        private readonly int $timeout,
        private readonly Lateness $lateness,
    ) {
        $schedule = @fopen('/proc/self/schedstat', 'r');
        $this->schedule = $schedule === false ? null : $schedule;
    }

    /**
     * @template T
     *
     * @param Closure(): T $call
     *
     * @return T
     */
    public function time(string $name, Closure $call): mixed
    {
        $waited = $this->waited();
        $began = (int) hrtime(true);
        $this->board->set(ClientCount::CallBegan, $began, $this->worker);
        $given = $call();
        $late = hrtime(true) - $began - (int) ((1 + self::OVER) * $this->timeout * 1e6);
        $this->board->set(ClientCount::CallBegan, 0, $this->worker);
        $this->board->add(ClientCount::Requests, index: $this->worker);
        if ($late > 0) {
            $late -= $this->waited() - $waited;
            $this->board->raise(ClientCount::Late, $late, $this->worker);
            if ($late > Lateness::WORK) {
                $this->lateness->called($name, $began, (int) hrtime(true), $late);
            }
        }

        return $given;
    }

    /** Nanoseconds that this process could have run and had no processor. */
    private function waited(): int
    {
        if ($this->schedule === null) {
            return 0;
        }
        fseek($this->schedule, 0);

        return (int) (explode(' ', (string) fread($this->schedule, 64))[1] ?? 0);
    }
}
