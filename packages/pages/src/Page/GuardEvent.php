<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal What `larder guard` says: a server's new state, or that nginx could not be told. */
final readonly class GuardEvent
{
    /**
     * @param string|null $server null: this is about nginx
     * @param string      $reason empty: there is nothing to add
     */
    public function __construct(
        public ?string $server,
        public ?ServerState $state,
        public string $reason,
    ) {}

    public function line(): string
    {
        return $this->server === null || $this->state === null
            ? $this->reason
            : $this->server . ' ' . match ($this->state) {
                ServerState::Up => 'is up',
                ServerState::Slow => 'has not answered in time',
                ServerState::Refuses => 'takes no connection: ' . $this->reason,
                ServerState::Out => 'is out, until it answers again: ' . $this->reason,
                ServerState::Returning => 'answers again',
            };
    }

    /** @return array{server: string|null, state: string|null, reason: string} */
    public function values(): array
    {
        return ['server' => $this->server, 'state' => $this->state?->value, 'reason' => $this->reason];
    }
}
