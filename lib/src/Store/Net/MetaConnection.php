<?php

declare(strict_types=1);

namespace Larder\Store\Net;

use Closure;

/**
 * One connection to a memcached server, in PHP alone. Commands of the meta protocol go out together and end with `mn`.
 *
 * No reply is ever taken for that to another call: any doubt ends the connection. It is ended by a reply that is none,
 * by a byte more than was asked for, by a deadline, and by a call that was begun before the last one had its answer.
 *
 * It is not Larder\Memcached: that one may send a call twice, and needs the extension.
 *
 * @internal
 */
final class MetaConnection
{
    private ?Socket $socket = null;

    /** How many connections there were. */
    private int $opened = 0;

    private string $commands = '';

    private int $sent = 0;

    /** What is awaited; null: nothing. */
    private ?MetaReplies $replies = null;

    private bool $waits = false;

    private ?ConnectionFailed $failure = null;

    /** @var Closure(string, int): Socket */
    private readonly Closure $connect;

    /**
     * @param string                              $address     `host:port`, `unix:/path` or `tls://host:port`
     * @param bool                                $opensAnew   where the server closed the connection since the last
     *     call; false: the call fails then, as what it says may hold for the old connection only
     * @param bool                                $endsAtError an error is a failure, and not a reply
     * @param int                                 $connecting  nanoseconds until a connection is there, within the
     *     deadline
     * @param int                                 $longest     bytes of a value
     * @param (Closure(string, int): Socket)|null $connect     to an address by a deadline, or throws ConnectionFailed;
     *     null: StreamSocket::connect()
     */
    public function __construct(
        public readonly string $address,
        private readonly bool $opensAnew = true,
        private readonly bool $endsAtError = false,
        private readonly int $connecting = PHP_INT_MAX,
        private readonly int $longest = 1 << 20,
        ?Closure $connect = null,
    ) {
        $this->connect = $connect ?? StreamSocket::connect(...);
    }

    public function __destruct()
    {
        $this->close();
    }

    /** @return int the number of the open connection; 0: none is open */
    public function number(): int
    {
        return $this->socket === null ? 0 : $this->opened;
    }

    /**
     * Sends what the server takes at once, and opens a connection if none is open. finish() does the rest.
     *
     * @param string $commands without the `mn` that ends them
     * @param int    $deadline hrtime
     *
     * @throws ConnectionFailed
     */
    public function begin(string $commands, int $deadline): void
    {
        try {
            $this->ready($commands . "mn\r\n", $deadline);
            $this->replies = new MetaReplies($this->longest, $this->endsAtError);
            $this->waits = true;
            $this->send();
        } catch (ConnectionFailed $failure) {
            throw $this->failed($failure);
        }
    }

    /**
     * Waits until all have their answers, or the deadline. One that has none does not keep the others from theirs.
     *
     * @param array<int, self> $connections
     * @param int              $deadline    hrtime
     */
    public static function finish(array $connections, int $deadline): void
    {
        for ($late = 0; true; $late += hrtime(true) < $deadline ? 0 : 1) {
            $hasMoved = false;
            $waiting = $reading = $writing = [];
            foreach ($connections as $number => $connection) {
                $hasMoved = $connection->moves() || $hasMoved;
                if (!$connection->waits) {
                    continue;
                }
                $waiting[] = $connection;
                $stream = $connection->socket?->stream();
                if ($stream !== null) {
                    $reading[$number] = $stream;
                    if ($connection->sent < \strlen($connection->commands)) {
                        $writing[$number] = $stream;
                    }
                }
            }
            if ($waiting === []) {
                return;
            }
            $isLate = $late > Exchange::LATE;
            if ($isLate || (!$hasMoved && ($reading === [] || !StreamSocket::await($reading, $writing, $deadline)))) {
                foreach ($waiting as $connection) {
                    $connection->failed(new ConnectionFailed(Fault::TimedOut));
                }

                return;
            }
        }
    }

    /**
     * The replies to the commands of begin(), after finish().
     *
     * @return list<MetaReply>
     *
     * @throws ConnectionFailed
     */
    public function replies(): array
    {
        if ($this->failure !== null) {
            throw $this->failure;
        }

        return $this->replies?->all() ?? [];
    }

    /**
     * One call: begin(), finish() and replies().
     *
     * @return list<MetaReply>
     *
     * @throws ConnectionFailed
     */
    public function ask(string $commands, int $deadline): array
    {
        $this->begin($commands, $deadline);
        self::finish([$this], $deadline);

        return $this->replies();
    }

    /**
     * One command outside of the meta protocol. No `mn` ends its answer, so it has a connection of its own.
     *
     * @param string                $address  as of the constructor
     * @param string                $command  without its end of line
     * @param Closure(string): bool $isWhole  whether this is all of the answer, or as much as is wanted
     * @param int                   $deadline hrtime
     *
     * @throws ConnectionFailed
     */
    public static function text(string $address, string $command, Closure $isWhole, int $deadline): string
    {
        return Exchange::with($address, $command . "\r\n", $isWhole, $deadline);
    }

    public function close(): void
    {
        $this->socket?->close();
        $this->socket = null;
        $this->waits = false;
    }

    /** @throws ConnectionFailed */
    private function ready(string $commands, int $deadline): void
    {
        $this->failure = $this->replies = null;
        if ($this->waits) {
            // What comes on it is the answer to another call.
            $this->close();
        }
        // A server that was started anew has closed it: that is known before anything is sent.
        if ($this->socket !== null && $this->socket->read(1) !== '') {
            $this->close();
            if (!$this->opensAnew) {
                throw new ConnectionFailed(Fault::Closed);
            }
        }
        if ($this->socket === null) {
            $now = (int) hrtime(true);
            $by = $deadline - $now > $this->connecting ? $now + $this->connecting : $deadline;
            $this->socket = ($this->connect)($this->address, $by);
            ++$this->opened;
        }
        $this->commands = $commands;
        $this->sent = 0;
    }

    /** Sends and reads what can be. */
    private function moves(): bool
    {
        if (!$this->waits) {
            return false;
        }
        try {
            $hasSent = $this->send();
            $bytes = $this->socket?->read(Exchange::PIECE) ?? throw new ConnectionFailed(Fault::Closed);
            if ($bytes === '' || $this->replies === null) {
                return $hasSent;
            }
            $this->waits = $this->replies->take($bytes);
            $fault = $this->replies->fault();
            if ($fault !== null) {
                throw new ConnectionFailed(Fault::Said, $fault);
            }
        } catch (ConnectionFailed $failure) {
            $this->failed($failure);
        }

        return true;
    }

    /** @return bool whether the server took something */
    private function send(): bool
    {
        $before = $this->sent;
        do {
            $piece = substr($this->commands, $this->sent, Exchange::PIECE);
            $taken = $piece === '' ? 0 : $this->socket?->write($piece);
            $this->sent += $taken ?? throw new ConnectionFailed(Fault::Closed);
        } while ($taken > 0);

        return $this->sent > $before;
    }

    /** Closes the connection, if there is one: what would come on it belongs to nobody. */
    private function failed(ConnectionFailed $failure): ConnectionFailed
    {
        $this->close();

        return $this->failure = $failure;
    }
}
