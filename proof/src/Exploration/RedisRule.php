<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** How a RedisStore binds what it keeps to the server that has it: the two that hold, and what each guard prevents. */
enum RedisRule: string
{
    case InTheScript = 'the word counts under the master_replid of a primary, which is asked for in the same step';
    case OnTheConnection = 'a connection asks once, and a server that is demoted ends its connections';
    case Unbound = 'the word is bound to nothing';
    case SilentReconnect = 'a client connects anew and believes what it was told before';
    case OpenConnections = 'a connection asks once, and a server that is demoted leaves its connections open';
    case AnyRole = 'a replica is taken for a primary';
    case ByRun = 'the run of the server is asked for, in place of its master_replid';
    case CutOff = 'a primary that is cut off is not told';

    public function holds(): bool
    {
        return $this === self::InTheScript || $this === self::OnTheConnection;
    }

    /** @return non-empty-array<string, int> states that there are at least, by what happens, in which it is judged */
    public function minima(): array
    {
        return match ($this) {
            self::InTheScript => ['kill' => 5_500, 'failover' => 2_500, 'failover and kill' => 134_000],
            self::OnTheConnection => ['kill' => 5_400, 'failover' => 5_400, 'failover and kill' => 299_000],
            self::Unbound, self::SilentReconnect => ['kill' => 0, 'failover' => 0],
            self::OpenConnections, self::AnyRole, self::CutOff => ['failover' => 0],
            self::ByRun => ['failover and kill' => 0],
        };
    }

    public function isAsked(): bool
    {
        return $this !== self::Unbound;
    }

    public function asksRole(): bool
    {
        return $this !== self::Unbound && $this !== self::AnyRole;
    }

    /** Whether scripts ask, so that what a client believes does not matter. */
    public function isInTheScript(): bool
    {
        return match ($this) {
            self::InTheScript, self::AnyRole, self::ByRun, self::CutOff => true,
            default => false,
        };
    }

    public function reconnectsSilently(): bool
    {
        return $this->isInTheScript() || $this === self::SilentReconnect;
    }

    public function endsConnections(): bool
    {
        return $this === self::OnTheConnection;
    }

    public function cutsOff(): bool
    {
        return $this === self::CutOff;
    }

    public function isByRun(): bool
    {
        return $this === self::ByRun;
    }
}
