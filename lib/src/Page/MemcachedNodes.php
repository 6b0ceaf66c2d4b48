<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Exception\PageStoreFailed;
use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Fault;
use Larder\Store\Net\MetaConnection;
use Larder\Store\Net\MetaReply;
use Larder\Store\Net\Socket;

/**
 * The memcached servers of a page store: which one has a key, and one round trip to several at once.
 *
 * The ring is nginx's `hash $memc_key consistent` for servers without a weight
 * (ngx_http_upstream_init_chash, ngx_http_upstream_find_chash_point). Nobody ever looks on another server than a key's
 * own.
 *
 * A page must be published on the very connection that its stub was made on, since a server that was started anew
 * counts its CAS numbers from 1, and no call may be sent twice.
 *
 * @internal part of MemcachedPageStore
 */
final class MemcachedNodes
{
    /** The cause of a failure, in the words of connect(). */
    public const TIMED_OUT = 'Connection timed out';

    /** Points of a server on the ring. */
    private const POINTS = 160;

    /** Bytes of a value, as memcached's -I has them at most. */
    private const LONGEST = 1 << 30;

    /** Nanoseconds more for each KiB that is sent: a large change takes its time. */
    private const PATIENCE_PER_KIB = 200_000;

    private const OUT = 'it does not answer, and is out until larder guard takes it back';

    /** @var non-empty-list<MetaConnection> */
    private readonly array $nodes;

    /** @var array<int, int> when a server may be asked again that did not answer, as hrtime() */
    private array $silentUntil = [];

    /** @var array<int, int> index of the server by point, ascending; empty: not made yet */
    private array $ring = [];

    /**
     * @param non-empty-list<string>              $servers    in nginx's order and writing
     * @param GuardedServers|null                 $guarded    says which of them are out: those are not asked
     * @param int                                 $silence    nanoseconds for which one that did not answer is not asked
     *     again: whoever needs it twice waits once
     * @param (Closure(string, int): Socket)|null $connect    as MetaConnection has it
     * @param int                                 $patience   nanoseconds for a round trip, connecting included
     * @param int                                 $connecting nanoseconds until a connection is there; nginx gives it as
     *     long. Others wait meanwhile
     */
    public function __construct(
        array $servers,
        private readonly ?GuardedServers $guarded = null,
        private readonly int $silence = 1_000_000_000,
        ?Closure $connect = null,
        private readonly int $patience = 200_000_000,
        int $connecting = 50_000_000,
    ) {
        $this->nodes = array_map(static fn(string $server): MetaConnection => new MetaConnection(
            $server,
            opensAnew: false,
            endsAtError: true,
            connecting: $connecting,
            longest: self::LONGEST,
            connect: $connect,
        ), $servers);
    }

    /** A key as memc writes it for nginx. What it escapes beside `%` is in no page's key. */
    public static function escaped(string $key): string
    {
        return str_replace('%', '%25', $key);
    }

    /** @return int the index of the server that has this key */
    public function of(string $key): int
    {
        if (\count($this->nodes) === 1) {
            return 0;
        }
        $this->ring = $this->ring === [] ? $this->ring() : $this->ring;
        $points = array_keys($this->ring);
        $hash = crc32($key);
        $low = 0;
        $high = \count($points);
        while ($low < $high) {
            $middle = intdiv($low + $high, 2);
            if ($points[$middle] < $hash) {
                $low = $middle + 1;
            } else {
                $high = $middle;
            }
        }

        return $this->ring[$points[$low % \count($points)]];
    }

    /** @return list<int> */
    public function all(): array
    {
        return array_keys($this->nodes);
    }

    public function node(int $index): MetaConnection
    {
        return $this->nodes[$index];
    }

    /**
     * Sends to all, then reads from all.
     *
     * @param array<int, string> $commands by server
     * @param bool               $anew     asks those too that did not answer just now
     *
     * @return array<int, list<MetaReply>|PageStoreFailed> by server
     */
    public function ask(array $commands, bool $anew = false): array
    {
        $bytes = array_sum(array_map(strlen(...), $commands));
        $now = (int) hrtime(true);
        $deadline = $now + $this->patience + intdiv($bytes, 1024) * self::PATIENCE_PER_KIB;
        $this->silentUntil = $anew ? array_diff_key($this->silentUntil, $commands) : $this->silentUntil;
        $out = $commands === [] ? [] : $this->guarded?->out() ?? [];
        // To connect may take a part of the time. Those that are connected have their answers under way by then.
        $isClosed = fn(int $index): bool => $this->nodes[$index]->number() === 0;
        uksort($commands, static fn(int $one, int $two): int => $isClosed($one) <=> $isClosed($two));
        $answers = $asked = [];
        foreach ($commands as $index => $text) {
            $node = $this->nodes[$index];
            try {
                $why = match (true) {
                    \in_array($node->address, $out, true) => self::OUT,
                    ($this->silentUntil[$index] ?? $now) > $now => self::TIMED_OUT,
                    default => null,
                };
                if ($why === null) {
                    $node->begin($text, $deadline);
                    $asked[$index] = $node;
                } else {
                    $node->close();
                    $answers[$index] = PageStoreFailed::during('reach', $node->address, $why);
                }
            } catch (ConnectionFailed $failure) {
                $answers[$index] = $this->noted($index, $failure);
            }
        }
        MetaConnection::finish($asked, $deadline);
        foreach ($asked as $index => $node) {
            try {
                $answers[$index] = $node->replies();
            } catch (ConnectionFailed $failure) {
                $answers[$index] = $this->noted($index, $failure);
            }
        }

        return $answers;
    }

    /**
     * As ask(), where all have to answer. A connection that the server closed while nobody used it is opened again,
     * so only what may be done twice is told in this way.
     *
     * @param array<int, string> $commands by server
     *
     * @return array<int, list<MetaReply>>
     *
     * @throws PageStoreFailed
     */
    public function tell(array $commands): array
    {
        $wasOpen = array_filter($this->all(), fn(int $index): bool => $this->nodes[$index]->number() !== 0);
        $told = [];
        $again = [];
        foreach ($this->ask($commands) as $index => $answer) {
            if (\is_array($answer)) {
                $told[$index] = $answer;
            } elseif (\in_array($index, $wasOpen, true) && $answer->cause !== self::TIMED_OUT) {
                $again[$index] = $commands[$index];
            } else {
                throw $answer;
            }
        }
        foreach ($this->ask($again) as $index => $answer) {
            $told[$index] = \is_array($answer) ? $answer : throw $answer;
        }

        return $told;
    }

    private function noted(int $index, ConnectionFailed $failure): PageStoreFailed
    {
        $failed = PageStoreFailed::during('reach', $this->nodes[$index]->address, match ($failure->fault) {
            Fault::TimedOut => self::TIMED_OUT,
            Fault::Closed => 'the connection was closed',
            default => $failure->reason,
        });
        if ($failed->cause === self::TIMED_OUT) {
            $this->silentUntil[$index] = (int) hrtime(true) + $this->silence;
        }

        return $failed;
    }

    /** @return array<int, int> */
    private function ring(): array
    {
        $ring = [];
        foreach ($this->nodes as $index => $node) {
            $isUnix = str_starts_with($node->address, 'unix:');
            $found = preg_match('/^(.*):(\d+)$/sD', $node->address, $parts) === 1;
            [$host, $port] = match (true) {
                $isUnix => [substr($node->address, 5), ''],
                $found => [$parts[1], $parts[2]],
                default => [$node->address, ''],
            };
            $hash = 0;
            for ($point = 0; $point < self::POINTS; ++$point) {
                $hash = crc32($host . "\0" . $port . pack('V', $hash));
                // nginx sorts by hash, and keeps one of two that are the same.
                $ring[$hash] ??= $index;
            }
        }
        ksort($ring);

        return $ring;
    }
}
