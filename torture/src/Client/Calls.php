<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Closure;

/** Every call passes here and is timed. */
final class Calls
{
    /** Part of a deadline. */
    private const OVER = 0.1;

    /** @var resource|null */
    private $schedule;

    /** @param int $timeout milliseconds */
    public function __construct(
        private readonly Notes $notes,
        private readonly int $seat,
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
    public function of(string $name, Closure $call): mixed
    {
        $waited = $this->waited();
        $began = (int) hrtime(true);
        $this->notes->noteSeat($this->seat, Note::Began, $began);
        $given = $call();
        $late = hrtime(true) - $began - (int) ((1 + self::OVER) * $this->timeout * 1e6);
        $this->notes->noteSeat($this->seat, Note::Began, 0);
        $this->notes->add($this->seat, Note::Calls);
        if ($late > 0) {
            $late -= $this->waited() - $waited;
            if ($late > $this->notes->seat($this->seat, Note::Late)) {
                $this->notes->noteSeat($this->seat, Note::Late, $late);
            }
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
