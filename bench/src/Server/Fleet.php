<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Closure;
use Larder\Bench\Exception\NotApplicable;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
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
    private readonly NamedServers $named;
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
     * @param array<string, list<Endpoint>> $named     as NamedServers::parse() returns them
     * @param (Closure(string): void)|null  $progress  gets a message for each start that takes long
     * @param string|null                   $site      directory of the site of Kind::Site; null: there is none
     * @param string|null                   $scripts   what Kind::Fpm serves; null: the directory scripts beside this
     *                                                 class
     * @param int                           $workers   of php-fpm, each for Kind::Fpm and for Kind::Site
     */
    public function __construct(
        private readonly string $directory,
        array $named = [],
        ?Closure $progress = null,
        private readonly ?string $site = null,
        private readonly ?string $scripts = null,
        private readonly int $workers = 4,
    ) {
        $this->named = new NamedServers($named);
        $this->progress = $progress ?? static function (string $message): void {};
        $this->owner = (int) getmypid();
    }

    public function __destruct()
    {
        $this->stop();
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
        if ($this->named->has($kind)) {
            return $this->named->endpoints($kind, $instances);
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
        return $this->named->facts() + $this->facts;
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
        if ($kind === Kind::MariaDb || $kind === Kind::Fpm || $kind === Kind::Site) {
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
            Kind::Fpm => new Fpm($directory, $this->scripts ?? __DIR__ . '/scripts', $this->workers),
            Kind::Site => PageSite::start(
                $this->site ?? throw new NotApplicable('there is no site: name one with --site=DIR'),
                $directory,
                $this->workers,
                $this->progress,
            ),
            Kind::None => throw ServerFailed::because('a subject without a server needs none'),
        };
    }

    private static function name(Kind $kind, int $number): string
    {
        return $kind->value . ($number === 0 ? '' : ' ' . ($number + 1));
    }
}
