<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

/** Holds back every byte, both ways, for the same time after it came: a long wire, not a thin one. */
final class Delay implements ProxyTraffic
{
    /** @var array<int, int> bytes of replies passed on, by connection */
    private array $passed = [];

    /**
     * @param int $nanoseconds each way
     * @param int $cut         bytes of replies after which a connection is cut off; 0: never
     */
    public function __construct(
        private readonly int $nanoseconds,
        private readonly int $cut = 0,
    ) {}

    public function opened(ProxiedConnection $connection): void
    {
        $connection->requests->delay = $this->nanoseconds;
        $connection->replies->delay = $this->nanoseconds;
        // To connect over a long wire takes a round trip. The first bytes make up for it.
        $connection->requests->hold((int) hrtime(true) + 3 * $this->nanoseconds);
    }

    public function request(ProxiedConnection $connection, string $bytes): string
    {
        return $bytes;
    }

    public function reply(ProxiedConnection $connection, string $bytes): string
    {
        if ($this->cut === 0) {
            return $bytes;
        }
        $passed = $this->passed[$connection->number] ?? 0;
        $this->passed[$connection->number] = $passed + \strlen($bytes);
        if ($passed + \strlen($bytes) >= $this->cut) {
            $connection->endAfterReplies();
        }

        return substr($bytes, 0, max(0, $this->cut - $passed));
    }

    public function closed(ProxiedConnection $connection): void {}
}
