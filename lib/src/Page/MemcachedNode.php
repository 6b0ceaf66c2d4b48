<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Exception\PageStoreFailed;

/**
 * One connection to a memcached server, by the meta protocol. Each call ends with its `MN`, at its deadline or with the
 * connection, so no reply is ever taken for that of another call.
 *
 * It is not Larder\Memcached: a page must be published on the very connection that its stub was made on, since a server
 * that was started anew counts its CAS numbers from 1, and no call may be sent twice.
 *
 * @internal part of MemcachedPageStore
 *
 * @phpstan-type Reply array{code: string, flags: list<string>, value: string}
 */
final class MemcachedNode
{
    /** The cause of a failure, in the words of connect(). */
    public const TIMED_OUT = 'Connection timed out';

    /** Bytes of a read or a write. */
    private const PIECE = 65536;

    private ?Socket $socket = null;

    private int $connection = 0;

    /** @var Closure(string, int): Socket */
    private readonly Closure $connect;

    /**
     * @param string                              $address `host:port` or `unix:/path`, as nginx has it
     * @param (Closure(string, int): Socket)|null $connect to an address by a deadline, or throws PageStoreFailed; null:
     *     StreamSocket::connect()
     */
    public function __construct(public readonly string $address, ?Closure $connect = null)
    {
        $this->connect = $connect ?? StreamSocket::connect(...);
    }

    public function __destruct()
    {
        $this->close();
    }

    /** @return int the number of the open connection; 0: none is open */
    public function connection(): int
    {
        return $this->socket === null ? 0 : $this->connection;
    }

    /**
     * Sends commands, and opens a connection if none is open.
     *
     * @param int $deadline hrtime
     *
     * @throws PageStoreFailed
     */
    public function send(string $commands, int $deadline): void
    {
        $socket = $this->open($deadline);
        $commands .= "mn\r\n";
        for ($sent = 0; $sent < \strlen($commands); $sent += $bytes) {
            $bytes = $socket->write(substr($commands, $sent, self::PIECE))
                ?? throw $this->failed('the connection was closed');
            if ($bytes === 0 && !$socket->wait(true, $deadline)) {
                throw $this->failed(self::TIMED_OUT);
            }
        }
    }

    /**
     * Reads the replies of one send().
     *
     * @return list<Reply>
     *
     * @throws PageStoreFailed
     */
    public function replies(int $deadline): array
    {
        $replies = [];
        $bytes = '';
        $at = 0;
        while (true) {
            $end = strpos($bytes, "\r\n", $at);
            if ($end === false) {
                $bytes = substr($bytes, $at) . $this->piece($deadline);
                $at = 0;
                continue;
            }
            $words = explode(' ', substr($bytes, $at, $end - $at));
            $at = $end + 2;
            if ($words[0] === 'MN') {
                return $replies;
            }
            $value = '';
            if ($words[0] === 'VA') {
                $length = (int) ($words[1] ?? 0);
                while (\strlen($bytes) - $at < $length + 2) {
                    $bytes .= $this->piece($deadline);
                }
                $value = substr($bytes, $at, $length);
                $at += $length + 2;
            } elseif (str_ends_with($words[0], 'ERROR')) {
                throw $this->failed(implode(' ', $words));
            }
            $replies[] = ['code' => $words[0], 'flags' => \array_slice($words, 1), 'value' => $value];
        }
    }

    public function close(): void
    {
        $this->socket?->close();
        $this->socket = null;
    }

    /**
     * @param list<string> $flags of a reply
     *
     * @return string what follows the letter; empty: there is no such flag
     */
    public static function flag(array $flags, string $letter): string
    {
        foreach ($flags as $flag) {
            if (str_starts_with($flag, $letter)) {
                return substr($flag, 1);
            }
        }

        return '';
    }

    private function piece(int $deadline): string
    {
        $socket = $this->socket ?? throw $this->failed('the connection was closed');
        do {
            $piece = $socket->read(self::PIECE) ?? throw $this->failed('the connection was closed');
            if ($piece !== '') {
                return $piece;
            }
        } while ($socket->wait(false, $deadline));
        throw $this->failed(self::TIMED_OUT);
    }

    private function open(int $deadline): Socket
    {
        if ($this->socket === null) {
            $this->socket = ($this->connect)($this->address, $deadline);
            ++$this->connection;
        }

        return $this->socket;
    }

    /** Closes the connection, if there is one: what would come on it belongs to nobody. */
    public function failed(string $reason): PageStoreFailed
    {
        $this->close();

        return PageStoreFailed::during('reach', $this->address, $reason);
    }
}
