<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Closure;
use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Metrics\SparingLogger;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;

/**
 * The servers of a DNS name: all its addresses (A and AAAA), or the hosts, ports and weights of a service (SRV).
 *
 * An answer is kept as long as its records allow, and at most $ttl seconds. When no answer comes, the last one stays in
 * force. The system's resolver can take many seconds to give up, so put a CachedDiscovery before this one, which asks
 * once for all processes.
 *
 * @phpstan-type Record array<array-key, mixed>
 */
final class DnsServers implements Discovery
{
    /** @var non-empty-array<string, int<1, 1000>>|null */
    private ?array $servers = null;

    private float $until = 0.0;

    /** @var Closure(string, int): (list<Record>|false) */
    private readonly Closure $resolve;

    /**
     * @param int|null                                        $port    of all addresses; null: the name is a service's
     * @param (Closure(string, int): (list<Record>|false))|null $resolve as dns_get_record()
     */
    private function __construct(
        private readonly string $name,
        private readonly ?int $port,
        private readonly float $ttl,
        private readonly bool $tls,
        private readonly ?LoggerInterface $log,
        ?Closure $resolve,
        private readonly ClockInterface $clock,
    ) {
        if (preg_match('/^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})$/D', $name) !== 1) {
            throw InvalidServer::because(
                \sprintf('"%s" is not a name to ask for. Written is a host name such as "cache.example.net".', $name),
            );
        }
        if ($port !== null && ($port < 1 || $port > 65535)) {
            throw InvalidServer::because(
                \sprintf('The port of %s is %d. A port is from 1 to 65535; that of memcached is 11211.', $name, $port),
            );
        }
        $this->resolve = $resolve ?? self::system(...);
    }

    /**
     * @param string                                          $name    such as "cache.example.net"
     * @param float                                           $ttl     seconds
     * @param (Closure(string, int): (list<Record>|false))|null $resolve as dns_get_record()
     *
     * @throws InvalidServer
     */
    public static function addresses(
        string $name,
        int $port = 11211,
        float $ttl = 60.0,
        bool $tls = false,
        ?LoggerInterface $log = null,
        ?Closure $resolve = null,
        ClockInterface $clock = new SystemClock(),
    ): self {
        return new self($name, $port, $ttl, $tls, $log, $resolve, $clock);
    }

    /**
     * Of the service's records those of the first priority count.
     *
     * @param string                                          $name    such as "_memcache._tcp.example.net"
     * @param float                                           $ttl     seconds
     * @param (Closure(string, int): (list<Record>|false))|null $resolve as dns_get_record()
     *
     * @throws InvalidServer
     */
    public static function service(
        string $name,
        float $ttl = 60.0,
        bool $tls = false,
        ?LoggerInterface $log = null,
        ?Closure $resolve = null,
        ClockInterface $clock = new SystemClock(),
    ): self {
        return new self($name, null, $ttl, $tls, $log, $resolve, $clock);
    }

    public function servers(): array
    {
        $now = (float) $this->clock->now()->format('U.u');
        if ($this->servers !== null && $now < $this->until) {
            return $this->servers;
        }
        try {
            [$this->servers, $seconds] = $this->port === null ? $this->ofService() : $this->ofAddresses($this->port);
        } catch (InvalidServer|NoServersFound $failure) {
            if ($this->servers === null) {
                throw $failure;
            }
            ($this->log ?? new SparingLogger())->error(
                'The list of memcached servers stays as it was. {reason}',
                ['reason' => $failure->getMessage(), 'exception' => $failure],
            );
            $seconds = min(5.0, $this->ttl);
        }
        $this->until = $now + $seconds;

        return $this->servers;
    }

    /** @return array{non-empty-array<string, int<1, 1000>>, float} with the seconds that it may be kept */
    private function ofAddresses(int $port): array
    {
        $records = $this->ask(DNS_A | DNS_AAAA);
        $weights = [];
        foreach ($records as $record) {
            $address = $record['ip'] ?? $record['ipv6'] ?? null;
            if (\is_string($address)) {
                $weights[ServerList::written($address, $port, $this->tls)] = 1;
            }
        }

        return [ServerList::scaled($weights), $this->life($records)];
    }

    /** @return array{non-empty-array<string, int<1, 1000>>, float} with the seconds that it may be kept */
    private function ofService(): array
    {
        $records = $this->ask(DNS_SRV);
        $first = min(array_map(static fn(array $record): int => self::number($record, 'pri'), $records));
        $weights = [];
        foreach ($records as $record) {
            $target = $record['target'] ?? null;
            if (\is_string($target) && self::number($record, 'pri') === $first) {
                $weights[ServerList::written(
                    rtrim($target, '.'),
                    self::number($record, 'port'),
                    $this->tls,
                )] = self::number(
                    $record,
                    'weight',
                );
            }
        }

        return [ServerList::scaled($weights), $this->life($records)];
    }

    /** @return non-empty-list<Record> */
    private function ask(int $type): array
    {
        $records = ($this->resolve)($this->name, $type);
        if ($records === false || $records === []) {
            throw NoServersFound::because(\sprintf(
                'DNS %s for %s. Look with: dig %s %s',
                $records === false ? 'gave no answer' : 'has no records',
                $this->name,
                $this->name,
                $type === DNS_SRV ? 'SRV' : 'A',
            ));
        }

        return $records;
    }

    /** @param non-empty-list<Record> $records */
    private function life(array $records): float
    {
        return max(
            1.0,
            min(
                $this->ttl,
                ...array_map(
                    static fn(
                        array $record,
                    ): float => (float) (isset($record['ttl']) ? self::number($record, 'ttl') : PHP_INT_MAX),
                    $records,
                ),
            ),
        );
    }

    /** @return list<Record>|false */
    private static function system(string $name, int $type): array|false
    {
        return @dns_get_record($name, $type);
    }

    /** @param Record $record */
    private static function number(array $record, string $field): int
    {
        $value = $record[$field] ?? 0;

        return is_numeric($value) ? (int) $value : 0;
    }
}
