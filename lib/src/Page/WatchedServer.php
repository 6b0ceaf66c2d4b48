<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;

/**
 * One memcached server of pages, as `larder guard` knows it.
 *
 * @internal part of Guard
 */
final class WatchedServer
{
    private readonly MemcachedNodes $nodes;

    private ?ServerState $state = null;

    private string $reason = '';

    /** Questions in a row without an answer; or with one, for a server that is out. */
    private int $inRow = 0;

    /**
     * @param bool         $isOut    as the guard before left it
     * @param positive-int $patience milliseconds that an answer may take
     * @param positive-int $misses   after which it is out
     * @param positive-int $answers  after which it is taken back
     */
    public function __construct(
        public readonly string $address,
        private bool $isOut,
        int $patience,
        private readonly int $misses,
        private readonly int $answers,
    ) {
        $this->nodes = new MemcachedNodes([$address], silence: 0, patience: $patience * 1_000_000);
    }

    /** Asks once. */
    public function look(): ServerState
    {
        $failure = $this->ask('');
        $hangs = $failure !== null && $failure->cause === MemcachedNodes::TIMED_OUT;
        $this->reason = $failure === null ? '' : $failure->cause;

        return $this->state = $this->isOut ? $this->outside($failure === null) : match (true) {
            $failure === null => $this->inside(ServerState::Up),
            $hangs => $this->silent(),
            default => $this->inside(ServerState::Refuses),
        };
    }

    public function state(): ?ServerState
    {
        return $this->state;
    }

    /** @return string why it is not up; empty: it is */
    public function reason(): string
    {
        return $this->reason;
    }

    private function inside(ServerState $state): ServerState
    {
        $this->inRow = 0;

        return $state;
    }

    private function silent(): ServerState
    {
        if (++$this->inRow < $this->misses) {
            return ServerState::Slow;
        }
        $this->inRow = 0;
        $this->isOut = true;

        return ServerState::Out;
    }

    private function outside(bool $hasAnswered): ServerState
    {
        $this->inRow = $hasAnswered ? $this->inRow + 1 : 0;
        if ($this->inRow < $this->answers) {
            return $this->inRow === 0 ? ServerState::Out : ServerState::Returning;
        }
        $this->inRow = 0;
        // It may have what a change of that time should have deleted.
        $failure = $this->ask("flush_all\r\n");
        if ($failure !== null) {
            $this->reason = $failure->cause;

            return ServerState::Out;
        }
        $this->isOut = false;

        return ServerState::Up;
    }

    private function ask(string $command): ?PageStoreFailed
    {
        try {
            // If it was started anew, the next connection says how it is now.
            foreach ($this->nodes->tell([$command])[0] as $reply) {
                if ($reply->code !== 'OK') {
                    return PageStoreFailed::during('empty', $this->address, $reply->code);
                }
            }

            return null;
        } catch (PageStoreFailed $failed) {
            return $failed;
        }
    }
}
