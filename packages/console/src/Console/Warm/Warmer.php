<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

use Closure;
use Psr\Clock\ClockInterface;

/** @internal Asks for each page of a list once, in its order, at a bounded rate and so many at a time. */
final readonly class Warmer
{
    /** @param positive-int $parallel */
    public function __construct(
        private Requests $requests,
        private Pace $pace,
        private int $parallel,
        private ClockInterface $clock,
    ) {}

    /**
     * @param list<string>          $uris
     * @param Closure(Answer): void $tell
     */
    public function warm(array $uris, Closure $tell): void
    {
        $next = $running = 0;
        while ($next < \count($uris) || $running > 0) {
            $left = null;
            while ($next < \count($uris) && $running < $this->parallel) {
                $now = (float) $this->clock->now()->format('U.u');
                $left = $this->pace->left($now);
                if ($left > 0.0) {
                    break;
                }
                $this->pace->took($now);
                $this->requests->start($uris[$next]);
                ++$next;
                ++$running;
                $left = null;
            }
            foreach ($this->requests->wait($left) as $answer) {
                --$running;
                $tell($answer);
            }
        }
    }
}
