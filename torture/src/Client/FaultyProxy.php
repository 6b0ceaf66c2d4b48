<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use RuntimeException;
use Socket;

/**
 * Stands before one server. Mostly it passes on what comes, at random it does what a bad network, a bad server or another program in its
 * place may do, until the run's end. It never sends a request twice and never lets one pass another.
 */
final class FaultyProxy
{
    /** Microseconds between two looks at whether the parent lives. */
    private const REST = 50_000;

    /** Nanoseconds. */
    private const DELAY = [1_000_000, 40_000_000];

    /** Of a burst of replies, out of 10,000. */
    private const REPLIES = [
        [Fault::Delay, 60], [Fault::Split, 40], [Fault::Hang, 12], [Fault::Cut, 30], [Fault::Close, 30], [Fault::HalfClose, 20],
        [Fault::Repeat, 40], [Fault::Drop, 30], [Fault::Swap, 60], [Fault::Status, 60], [Fault::Length, 60], [Fault::Opaque, 60],
        [Fault::Garbage, 40], [Fault::Surplus, 30], [Fault::Stale, 40],
    ];

    /** The same of requests. */
    private const REQUESTS = [[Fault::CutRequest, 30], [Fault::DelayRequest, 30], [Fault::HangRequest, 6]];

    /** @var array<int, Wire> */
    private array $wires = [];

    private int $number = 0;
    private readonly Mangler $mangler;

    public function __construct(
        private readonly Socket $listener,
        private readonly string $server,
        private readonly Notes $notes,
        private readonly int $seat,
    ) {
        $this->mangler = new Mangler();
    }

    /** On 127.0.0.1, any free port. */
    public static function listen(): Socket
    {
        $listener = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
        if ($listener === false || !socket_bind($listener, '127.0.0.1') || !socket_listen($listener, 128) || !socket_set_nonblock($listener)) {
            throw new RuntimeException('Cannot listen on 127.0.0.1.');
        }

        return $listener;
    }

    public static function port(Socket $listener): int
    {
        socket_getsockname($listener, $address, $port);

        return \is_int($port) ? $port : throw new RuntimeException('A listening socket has no port.');
    }

    public function serve(): void
    {
        $parent = posix_getppid();
        while (posix_getppid() === $parent) {
            $readable = $this->wait();
            // Clients first: a new connection must not get ahead of the one that it replaces.
            foreach ($this->wires as $wire) {
                if (!$wire->isEnding && isset($readable["client $wire->number"])) {
                    $this->passRequests($wire);
                }
            }
            if (isset($readable['listener'])) {
                $this->accept();
            }
            foreach ($this->wires as $wire) {
                if (!$wire->isDead && isset($readable["server $wire->number"])) {
                    $this->passReplies($wire);
                }
            }
            $now = (int) hrtime(true);
            foreach ($this->wires as $wire) {
                $wire->flush($now);
            }
            $this->wires = array_filter($this->wires, static fn(Wire $wire): bool => !$wire->isDead);
        }
    }

    /** @return array<array-key, Socket> */
    private function wait(): array
    {
        $readable = ['listener' => $this->listener];
        $writable = [];
        $rest = self::REST;
        $now = hrtime(true);
        foreach ($this->wires as $wire) {
            $readable["server $wire->number"] = $wire->server;
            if ($wire->isEnding) {
                continue;
            }
            $readable["client $wire->number"] = $wire->client;
            foreach ([[$wire->toServer, $wire->requestsFrom, $wire->server], [$wire->toClient, $wire->repliesFrom, $wire->client]] as [$bytes, $from, $socket]) {
                if ($bytes === '' || $wire->isHung) {
                    continue;
                }
                if ($from > $now) {
                    $rest = min($rest, intdiv($from - $now, 1000) + 1);
                } elseif ($socket === $wire->client || $wire->before === []) {
                    $writable[] = $socket;
                }
            }
        }
        $except = null;
        $count = @socket_select($readable, $writable, $except, 0, $rest);

        return $count === false ? [] : $readable;
    }

    private function accept(): void
    {
        while (($client = @socket_accept($this->listener)) !== false) {
            $server = socket_create(AF_UNIX, SOCK_STREAM, 0);
            if ($server === false || !@socket_connect($server, $this->server)) {
                socket_close($client);
                continue;
            }
            socket_set_option($client, SOL_TCP, TCP_NODELAY, 1);
            foreach ($this->wires as $wire) {
                if (!$wire->isEnding) {
                    $this->passRequests($wire);
                }
            }
            $wire = new Wire(++$this->number, $client, $server);
            $wire->before = array_filter($this->wires, static fn(Wire $other): bool => $other->isEnding && !$other->isDead);
            $this->wires[$wire->number] = $wire;
        }
    }

    private function passRequests(Wire $wire): void
    {
        $bytes = $wire->readClient();
        if ($bytes === '' || $wire->isEnding) {
            return;
        }
        $wire->toServer .= $bytes;
        $fault = $this->roll(self::REQUESTS);
        if ($fault === null) {
            return;
        }
        $this->notes->made($this->seat, $fault);
        if ($fault === Fault::HangRequest) {
            $wire->isHung = true;
            $wire->toServer = '';
        } elseif ($fault === Fault::DelayRequest) {
            $wire->requestsFrom = hrtime(true) + mt_rand(...self::DELAY);
        } else {
            $wire->toServer = substr($wire->toServer, 0, mt_rand(0, \strlen($wire->toServer) - 1));
            $wire->flush((int) hrtime(true));
            $wire->cut();
        }
    }

    private function passReplies(Wire $wire): void
    {
        [$bytes, $replies] = $wire->frames->take($wire->readServer());
        if ($bytes === '' || $wire->isEnding) {
            return;
        }
        $fault = $this->roll(self::REPLIES);
        $spoilt = $fault === null || $wire->isSpoilt ? null : $this->mangler->spoil($fault, $bytes, $replies);
        $wire->isSpoilt = $wire->isSpoilt || $spoilt !== null;
        $this->mangler->remember($bytes, $replies);
        $wire->toClient .= $spoilt ?? $bytes;
        if ($fault !== null && ($spoilt !== null || $this->hold($wire, $fault))) {
            $this->notes->made($this->seat, $fault);
        }
    }

    /** Faults of the connection and not of its bytes. */
    private function hold(Wire $wire, Fault $fault): bool
    {
        $now = (int) hrtime(true);
        match ($fault) {
            Fault::Delay => $wire->repliesFrom = $now + mt_rand(...self::DELAY),
            Fault::Split => $wire->splits = true,
            Fault::Hang => $wire->isHung = true,
            default => null,
        };
        if (\in_array($fault, [Fault::Cut, Fault::Close, Fault::HalfClose], true)) {
            $wire->toClient = substr($wire->toClient, 0, mt_rand(0, \strlen($wire->toClient) - 1));
            $wire->flush($now);
            match ($fault) {
                Fault::Cut => $wire->cut(),
                Fault::Close => $wire->end(),
                default => $wire->halfClose(),
            };
        }

        return !$fault->spoils();
    }

    /** @param non-empty-list<array{Fault, int}> $faults */
    private function roll(array $faults): ?Fault
    {
        $dice = mt_rand(1, 10_000);
        foreach ($faults as [$fault, $share]) {
            $dice -= $share;
            if ($dice <= 0) {
                return hrtime(true) < $this->notes->end() ? $fault : null;
            }
        }

        return null;
    }
}
