<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Bench\Exception\UsageError;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Server\Wire;

/**
 * Servers that the option --server named. The bench reads and writes its own keys there and does nothing else: it
 * neither flushes nor stops nor configures them.
 *
 * On a MariaDB it is the user `bench` without a password, in the database `bench`, which must exist.
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
     * @throws UsageError if an address is not on this machine
     */
    public static function parse(array $options): array
    {
        $named = [];
        foreach ($options as $option) {
            [$word, $address] = explode('=', $option, 2) + [1 => ''];
            $kind = Kind::tryFrom($word);
            if ($kind !== Kind::Memcached && $kind !== Kind::Redis && $kind !== Kind::MariaDb) {
                throw self::refused(
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
     * @throws ServerFailed if there are fewer, or one does not answer
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
                    'command' => 'named, not started by this run: --server=' . $kind . '=' . self::name($endpoint),
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
            throw self::refused($option, "\"{$address}\" is no address");
        }
        $host = strtolower($found[1]) === 'localhost' ? '127.0.0.1' : trim($found[1], '[]');
        $loopback = $host === '::1'
            || (filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false && str_starts_with($host, '127.'));

        return $loopback
            ? new Endpoint($host, (int) $found[2], 0, null, [], $extra)
            : throw self::refused(
                $option,
                "{$host} is not this machine's loopback, and the bench puts no load on other machines",
            );
    }

    /** @return string for stream_socket_client() */
    private static function address(Endpoint $endpoint): string
    {
        return $endpoint->socket !== null ? 'unix://' . $endpoint->socket : 'tcp://' . self::name($endpoint);
    }

    /** @return string as the option has it */
    private static function name(Endpoint $endpoint): string
    {
        $host = str_contains($endpoint->host, ':') ? "[{$endpoint->host}]" : $endpoint->host;

        return $endpoint->socket !== null ? 'unix:' . $endpoint->socket : $host . ':' . $endpoint->port;
    }

    private static function refused(string $option, string $reason): UsageError
    {
        $allowed = 'Allowed are memcached, redis and mariadb on this machine: KIND=127.0.0.1:PORT, '
            . 'KIND=localhost:PORT, '
            . 'KIND=[::1]:PORT or KIND=unix:/PATH.';

        return new UsageError(\sprintf('--server=%s: %s. %s', $option, $reason, $allowed));
    }

    private static function version(Kind $kind, string $address): string
    {
        $answer = match ($kind) {
            Kind::Memcached => Wire::ask($address, "version\r\n", "\r\n"),
            Kind::Redis => Wire::ask($address, "INFO server\r\nPING\r\n", "+PONG\r\n"),
            default => null,
        };

        $known = preg_match('/^(?:VERSION |redis_version:)(\S+)/m', (string) $answer, $found) === 1;

        return $kind->value . ' ' . ($known ? $found[1] : 'of an unknown version');
    }
}
