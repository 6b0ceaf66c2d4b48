<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Sql\Exception\PageStoreFailed;

/**
 * Takes memcached servers that hang out of the way of one web server, and takes them back empty.
 *
 * A server that leaves some questions in a row without an answer is out: nginx and PHP ask it no more, so nobody waits
 * for it, and each change of its pages fails at once. One that refuses a connection stays in, since nobody waits for
 * that. One that is out and answers some questions in a row is emptied, and only then taken back.
 *
 * @internal
 */
final class Guard
{
    /** @var list<WatchedServer> */
    private readonly array $watched;

    /** What nginx could not be told for, so that it is said once. */
    private ?string $failure = null;

    /**
     * @param Closure(): ?string $tell      lets nginx load the file; returns null, or why nginx cannot
     * @param positive-int       $patience  milliseconds that an answer may take
     * @param positive-int       $misses    after which a server is out
     * @param positive-int       $answers   after which it is taken back
     */
    public function __construct(
        private readonly GuardedServers $servers,
        private readonly Closure $tell,
        int $patience = 100,
        int $misses = 3,
        int $answers = 3,
    ) {
        $out = $servers->out() ?? [];
        $this->watched = array_map(
            static fn(string $address): WatchedServer
                => new WatchedServer($address, \in_array($address, $out, true), $patience, $misses, $answers),
            $servers->servers,
        );
    }

    /**
     * Asks each server once, and lets nginx load the file if one is out or back.
     *
     * @return list<GuardEvent> what is other than after the round before
     *
     * @throws PageStoreFailed if the file cannot be written
     */
    public function round(): array
    {
        $events = [];
        foreach ($this->watched as $server) {
            $before = $server->state();
            $state = $server->look();
            if ($state !== $before) {
                $events[] = new GuardEvent($server->address, $state, $server->reason());
            }
        }
        $failure = $this->apply();
        if ($failure !== null && $failure !== $this->failure) {
            $events[] = new GuardEvent(null, null, $failure);
        }
        $this->failure = $failure;

        return $events;
    }

    /** Whether a server may be about to be out: then the next round is due at once. */
    public function isSuspicious(): bool
    {
        return \in_array(ServerState::Slow, $this->states(), true);
    }

    /** Whether another round would say the same, until something changes. */
    public function isSettled(): bool
    {
        return !$this->isSuspicious() && !\in_array(ServerState::Returning, $this->states(), true);
    }

    /** Whether all servers are up, and nginx has been told. */
    public function isWell(): bool
    {
        return array_unique($this->states(), SORT_REGULAR) === [ServerState::Up] && $this->failure === null;
    }

    /** @return list<ServerState|null> */
    private function states(): array
    {
        return array_map(static fn(WatchedServer $server): ?ServerState => $server->state(), $this->watched);
    }

    /** @return string|null what nginx says against it */
    private function apply(): ?string
    {
        $out = [];
        foreach ($this->watched as $server) {
            if ($server->state()?->isOut() === true) {
                $out[] = $server->address;
            }
        }
        $isSaid = $this->servers->out() === $out;
        if ($isSaid && !$this->servers->isUntold()) {
            return null;
        }
        if (!$isSaid) {
            $this->servers->write(...$out);
        }
        $failure = ($this->tell)();
        $failure === null ? $this->servers->told() : $this->servers->back();

        return $failure;
    }
}
