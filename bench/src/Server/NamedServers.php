<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Server\Wire;

/**
 * Servers that somebody named. The bench reads and writes keys of its own there and does nothing else: no flush, no
 * stop, no setting.
 *
 * A MariaDB is used as user `bench` without a password in the database `bench`, which has to be there.
 *
 * @internal part of Fleet
 */
final readonly class NamedServers
{
    /** @param array<string, list<Endpoint>> $endpoints by kind */
    public function __construct(private array $endpoints) {}

    /**
     * @param list<string> $options such as `memcached=127.0.0.1:11211` and `redis=unix:/run/redis/redis.sock`
     *
     * @return array<string, list<Endpoint>> by kind
     *
     * @throws ServerRefused
     */
    public static function parse(array $options): array
    {
        $named = [];
        foreach ($options as $option) {
            [$word, $address] = explode('=', $option, 2) + [1 => ''];
            $kind = Kind::tryFrom($word);
            if ($kind !== Kind::Memcached && $kind !== Kind::Redis && $kind !== Kind::MariaDb) {
                throw ServerRefused::because(
                    $option,
                    $kind === null ? "there is no kind \"{$word}\"" : "the bench uses its own {$word} only",
                );
            }
            $named[$kind->value][] = self::endpoint(
                $option,
                $address,
                $kind === Kind::MariaDb ? ['database' => 'bench', 'user' => 'bench', 'password' => ''] : [],
            );
        }

        return $named;
    }

    public function has(Kind $kind): bool
    {
        return isset($this->endpoints[$kind->value]);
    }

    /**
     * @return list<Endpoint>
     *
     * @throws ServerFailed if there are fewer, or nobody answers
     */
    public function endpoints(Kind $kind, int $instances): array
    {
        $named = $this->endpoints[$kind->value] ?? [];
        if (\count($named) < $instances) {
            throw ServerFailed::because(
                \sprintf(
                    '%d servers of %s are needed, and --server names %d',
                    $instances,
                    $kind->value,
                    \count($named),
                ),
            );
        }
        $used = \array_slice($named, 0, $instances);
        foreach ($used as $endpoint) {
            $stream = @stream_socket_client(self::address($endpoint), $code, $reason, 1.0);
            if ($stream === false) {
                throw ServerFailed::because(
                    \sprintf(
                        'the %s named with --server=%s does not answer: %s',
                        $kind->value,
                        self::name($endpoint),
                        $reason,
                    ),
                );
            }
            fclose($stream);
        }

        return $used;
    }

    /** @return array<string, array{version: string, command: string}> */
    public function facts(): array
    {
        $facts = [];
        foreach ($this->endpoints as $kind => $endpoints) {
            foreach ($endpoints as $number => $endpoint) {
                $facts[$kind . ($number === 0 ? '' : ' ' . ($number + 1))] = [
                    'version' => self::version(Kind::from($kind), self::address($endpoint)),
                    'command' => 'not started by this run, but named: --server=' . $kind . '=' . self::name($endpoint),
                ];
            }
        }

        return $facts;
    }

    /** @param array<string, string> $extra */
    private static function endpoint(string $option, string $address, array $extra): Endpoint
    {
        if (preg_match('~^unix:(/[^\x00-\x20]+)$~D', $address, $found) === 1) {
            return new Endpoint('127.0.0.1', 0, 0, $found[1], [], $extra);
        }
        if (
            preg_match('~^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})$~D', $address, $found) !== 1
            || (int) $found[2] < 1
            || (int) $found[2] > 65_535
        ) {
            throw ServerRefused::because($option, "\"{$address}\" is no address");
        }
        $host = strtolower($found[1]) === 'localhost' ? '127.0.0.1' : trim($found[1], '[]');
        $loopback = $host === '::1'
            || (filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false && str_starts_with($host, '127.'));

        return $loopback
            ? new Endpoint($host, (int) $found[2], 0, null, [], $extra)
            : throw ServerRefused::because(
                $option,
                "{$host} is not this machine's loopback, and load on others' machines is not for the bench to make",
            );
    }

    private static function address(Endpoint $endpoint): string
    {
        return $endpoint->socket !== null
            ? 'unix://' . $endpoint->socket
            : 'tcp://' . (str_contains($endpoint->host, ':') ? "[{$endpoint->host}]" : $endpoint->host) . ':'
                . $endpoint->port;
    }

    private static function name(Endpoint $endpoint): string
    {
        return $endpoint->socket !== null
            ? 'unix:' . $endpoint->socket
            : substr(self::address($endpoint), \strlen('tcp://'));
    }

    private static function version(Kind $kind, string $address): string
    {
        $answer = match ($kind) {
            Kind::Memcached => Wire::ask($address, "version\r\n", "\r\n"),
            Kind::Redis => Wire::ask($address, "INFO server\r\nPING\r\n", "+PONG\r\n"),
            default => null,
        };

        return $kind->value . ' '
            . (
                preg_match('/^(?:VERSION |redis_version:)(\S+)/m', (string) $answer, $found) === 1
                    ? $found[1]
                    : 'of an unknown version'
            );
    }
}
