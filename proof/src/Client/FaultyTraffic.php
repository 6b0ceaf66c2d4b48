<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Testbed\Net\ProxiedConnection;
use Larder\Testbed\Net\ProxyTraffic;
use Larder\Testbed\Process\Board;
use WeakMap;

/**
 * Mostly passes on what comes. At random it does what a bad network, a bad server or another program in its place may
 * do, until the run's end.
 */
final class FaultyTraffic implements ProxyTraffic
{
    /** Nanoseconds. */
    private const DELAY = [1_000_000, 40_000_000];

    /** Of 10,000 bursts of replies. */
    private const REPLIES = [
        [Fault::Delay, 60], [Fault::Split, 40], [Fault::Hang, 12], [Fault::Cut, 30], [Fault::Close, 30],
        [Fault::HalfClose, 20], [Fault::Repeat, 40], [Fault::Drop, 30], [Fault::Swap, 60], [Fault::Status, 60],
        [Fault::Length, 60], [Fault::Opaque, 60], [Fault::Garbage, 40], [Fault::Surplus, 30], [Fault::Stale, 40],
    ];

    /** Of 10,000 bursts of requests. */
    private const REQUESTS = [[Fault::CutRequest, 30], [Fault::DelayRequest, 30], [Fault::HangRequest, 6]];

    private readonly ReplyDamage $damage;

    /** @var WeakMap<ProxiedConnection, ReplyFrames> */
    private WeakMap $frames;

    /** @var WeakMap<ProxiedConnection, true> connections with a reply that was changed */
    private WeakMap $spoilt;

    /** @param int $server its number on the board */
    public function __construct(private readonly Board $board, private readonly int $server)
    {
        $this->damage = new ReplyDamage();
        $this->frames = new WeakMap();
        $this->spoilt = new WeakMap();
    }

    public function opened(ProxiedConnection $connection): void
    {
        $this->frames[$connection] = new ReplyFrames();
    }

    public function request(ProxiedConnection $connection, string $bytes): string
    {
        $fault = $this->roll(self::REQUESTS);
        if ($fault === null) {
            return $bytes;
        }
        $this->count($fault);
        $now = (int) hrtime(true);
        if ($fault === Fault::DelayRequest) {
            $connection->requests->hold($now + mt_rand(...self::DELAY));

            return $bytes;
        }
        if ($fault === Fault::HangRequest) {
            $connection->hang();
        } else {
            $connection->requests->add($bytes, $now);
            $connection->requests->keep(mt_rand(0, $connection->requests->length() - 1));
            $connection->cut();
        }

        return '';
    }

    public function reply(ProxiedConnection $connection, string $bytes): string
    {
        [$bytes, $replies] = ($this->frames[$connection] ??= new ReplyFrames())->take($bytes);
        if ($bytes === '') {
            return '';
        }
        $fault = $this->roll(self::REPLIES);
        $isSpoilt = isset($this->spoilt[$connection]);
        $spoilt = $fault === null || $isSpoilt ? null : $this->damage->spoil($fault, $bytes, $replies);
        $this->damage->remember($bytes, $replies);
        if ($spoilt !== null) {
            $this->spoilt[$connection] = true;
        }
        if ($fault !== null && ($spoilt !== null || !$fault->spoils())) {
            $this->count($fault);
        }

        return $fault === null ? $bytes : $this->hold($connection, $fault, $spoilt ?? $bytes);
    }

    /** What has not gone to the server by now never goes. */
    public function closed(ProxiedConnection $connection): void
    {
        $connection->end();
    }

    /** Faults of the connection and not of its bytes. */
    private function hold(ProxiedConnection $connection, Fault $fault, string $bytes): string
    {
        $now = (int) hrtime(true);
        if ($fault === Fault::Delay) {
            $connection->replies->hold($now + mt_rand(...self::DELAY));
        } elseif ($fault === Fault::Split) {
            $connection->replies->splits = true;
        } elseif ($fault === Fault::Hang) {
            $connection->hang();
        } elseif (\in_array($fault, [Fault::Cut, Fault::Close, Fault::HalfClose], true)) {
            $connection->replies->add($bytes, $now);
            $connection->replies->keep(mt_rand(0, $connection->replies->length() - 1));
            $connection->replies->release($connection->client, PHP_INT_MAX);
            match ($fault) {
                Fault::Cut => $connection->cut(),
                Fault::Close => $connection->end(),
                default => $connection->halfClose(),
            };

            return '';
        }

        return $bytes;
    }

    private function count(Fault $fault): void
    {
        $this->board->add($fault, index: $this->server);
    }

    /** @param non-empty-list<array{Fault, int}> $faults */
    private function roll(array $faults): ?Fault
    {
        $dice = mt_rand(1, 10_000);
        foreach ($faults as [$fault, $share]) {
            $dice -= $share;
            if ($dice <= 0) {
                return hrtime(true) < $this->board->get('end') ? $fault : null;
            }
        }

        return null;
    }
}
