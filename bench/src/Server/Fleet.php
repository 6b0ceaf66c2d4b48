<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Closure;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\UsageError;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;

/**
 * All servers of a run. Each starts when it is first needed, in its own directory, and all stop together.
 *
 * A server that died does not start again by itself, since what was stored in it is gone. revive() starts it again.
 */
final class Fleet
{
    private readonly int $owner;

    /** @var Closure(string): void */
    private readonly Closure $progress;

    /** @var array<string, list<Server>> by kind */
    private array $servers = [];

    /** @var array<string, array{version: string, command: string}> of all that were started, with those that died */
    private array $facts = [];

    /**
     * @param string                        $directory short, since unix sockets are in it; if this is root, other
     *                                                 accounts must be able to read it
     * @param array<string, list<Endpoint>> $named     as named() returns them
     * @param (Closure(string): void)|null  $progress  gets a message for each start that takes long
     * @param string|null                   $site      directory of the site of Kind::Site; null: there is none
     * @param string|null                   $scripts   what Kind::Fpm serves; null: the directory libexec/fpm of the
     *                                                 bench
     * @param int                           $workers   of php-fpm, each for Kind::Fpm and for Kind::Site
     */
    public function __construct(
        private readonly string $directory,
        private readonly array $named = [],
        ?Closure $progress = null,
        private readonly ?string $site = null,
        private readonly ?string $scripts = null,
        private readonly int $workers = 4,
    ) {
        $this->progress = $progress ?? static function (string $message): void {};
        $this->owner = (int) getmypid();
    }

    public function __destruct()
    {
        $this->stop();
    }

    /**
     * Servers that the option --server named. The bench reads and writes its own keys there and does nothing else: it
     * neither flushes nor stops nor configures them. On a MariaDB it is the user `bench` without a password, in the
     * database `bench`, which must exist.
     *
     * @param list<string> $options such as `memcached=127.0.0.1:11211` and `redis=unix:/run/redis/redis.sock`
     *
     * @return array<string, list<Endpoint>> by kind
     *
     * @throws UsageError if an address is not on this machine
     */
    public static function named(array $options): array
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
            $named[$kind->value][] = self::parsed(
                $option,
                $address,
                $kind === Kind::MariaDb ? ['database' => 'bench', 'user' => 'bench', 'password' => ''] : [],
            );
        }

        return $named;
    }

    /**
     * Starts the servers that are missing. A named server has no pids, since others may use it, too.
     *
     * @return list<Endpoint> with the pids that the servers have now
     *
     * @throws ServerFailed  if one does not start; it names the Debian package if a program is missing
     * @throws NotApplicable if a site is needed and there is none
     */
    public function endpoints(Kind $kind, int $instances): array
    {
        if ($kind === Kind::None) {
            return [];
        }
        if (isset($this->named[$kind->value])) {
            return self::namedEndpoints($kind, $this->named[$kind->value], $instances);
        }
        for ($number = \count($this->servers[$kind->value] ?? []); $number < $instances; ++$number) {
            $server = $this->start($kind, $number);
            $this->servers[$kind->value][] = $server;
            $this->facts[self::name($kind, $number)] = [
                'version' => $server->version(),
                'command' => $server->command(),
            ];
        }

        return array_map(
            static fn(Server $server): Endpoint => $server->endpoint(),
            \array_slice($this->servers[$kind->value] ?? [], 0, $instances),
        );
    }

    /**
     * @return array<string, array{version: string, command: string}> of all servers used, by name: "memcached",
     *                                                                "memcached 2"
     *
     * @phpstan-impure
     */
    public function facts(): array
    {
        $facts = [];
        foreach ($this->named as $kind => $endpoints) {
            foreach ($endpoints as $number => $endpoint) {
                $facts[self::name(Kind::from($kind), $number)] = [
                    'version' => self::version(Kind::from($kind), self::address($endpoint)),
                    'command' => 'named, not started by this run: --server=' . $kind . '=' . self::option($endpoint),
                ];
            }
        }

        return $facts + $this->facts;
    }

    /**
     * Starts the servers again that died. They are empty, except for the tables of MariaDB. Stores get their old ports
     * back unless another process took them; nginx gets another port.
     */
    public function revive(): void
    {
        foreach ($this->servers as $kind => $servers) {
            foreach ($servers as $number => $server) {
                if (!$server->isRunning()) {
                    $before = $server->endpoint();
                    $server->stop();
                    $servers[$number] = $this->start(Kind::from($kind), $number, $before);
                }
            }
            $this->servers[$kind] = $servers;
        }
    }

    public function stop(): void
    {
        if ($this->owner !== getmypid()) {
            return;
        }
        $servers = array_merge(...array_values($this->servers));
        // All get the signal first, so that they end at the same time.
        foreach ($servers as $server) {
            $master = $server->isRunning() ? $server->endpoint()->pids[0] ?? null : null;
            if ($master !== null) {
                posix_kill($master, SIGTERM);
            }
        }
        foreach ($servers as $server) {
            $server->stop();
        }
        $this->servers = [];
    }

    private function start(Kind $kind, int $number, ?Endpoint $before = null): Server
    {
        $directory = $this->directory . '/' . $kind->value . '-' . ($number + 1);
        if (!\in_array($kind, [Kind::Memcached, Kind::MemcachedUnix, Kind::Redis], true)) {
            ($this->progress)('starting ' . self::name($kind, $number));
        }

        return match ($kind) {
            Kind::Memcached => new Memcached($directory, port: $before->port ?? 0),
            Kind::MemcachedUnix => new Memcached($directory, socket: true),
            Kind::Redis => new Redis($directory, $before->port ?? 0),
            Kind::MariaDb => new MariaDb($directory, [
                $before->port ?? 0,
                (int) ($before->extra['handlersocket'] ?? 0),
                (int) ($before->extra['handlersocket-write'] ?? 0),
            ]),
            Kind::PostgreSql => new PostgreSql($directory),
            Kind::Fpm => new Fpm($directory, $this->scripts ?? \dirname(__DIR__, 2) . '/libexec/fpm', $this->workers),
            Kind::Site => PageSite::start(
                $this->site ?? throw new NotApplicable('there is no site: name one with --site=DIR'),
                $directory,
                $this->workers,
                $this->progress,
            ),
            Kind::FilesSite, Kind::MariaDbSite, Kind::PostgreSqlSite, Kind::PartsSite,
            Kind::MemcachedPartsSite => new MadeSite($directory, $kind),
            Kind::Varnish => PurgedVarnish::start($directory),
            Kind::None => throw ServerFailed::because('a subject without a server needs none'),
        };
    }

    private static function name(Kind $kind, int $number): string
    {
        return $kind->value . ($number === 0 ? '' : ' ' . ($number + 1));
    }

    /**
     * @param list<Endpoint> $named
     *
     * @return list<Endpoint>
     *
     * @throws ServerFailed if there are fewer, or one does not answer
     */
    private static function namedEndpoints(Kind $kind, array $named, int $instances): array
    {
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
                        self::option($endpoint),
                        $reason,
                    ),
                );
            }
            fclose($stream);
        }

        return $used;
    }

    /** @param array<string, string> $extra */
    private static function parsed(string $option, string $address, array $extra): Endpoint
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
        return $endpoint->socket !== null ? 'unix://' . $endpoint->socket : 'tcp://' . self::option($endpoint);
    }

    /** @return string as the option has it */
    private static function option(Endpoint $endpoint): string
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
            Kind::Memcached => Exchange::with($address, "version\r\n", "\r\n"),
            Kind::Redis => Exchange::with($address, "INFO server\r\nPING\r\n", "+PONG\r\n"),
            default => null,
        };

        $known = preg_match('/^(?:VERSION |redis_version:)(\S+)/m', (string) $answer, $found) === 1;

        return $kind->value . ' ' . ($known ? $found[1] : 'of an unknown version');
    }
}
