<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Closure;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;
use Larder\Torture\Demo\ExampleSite;

/**
 * All servers of a run: each is started when it is first needed, in a directory of its own, and all are ended together.
 *
 * A server that died is not started again by itself: what was stored in it is gone, and whoever uses it next has to
 * learn that, or asks for revive().
 */
final class Fleet
{
    /** Items of the example site. */
    private const ITEMS = 1_000;

    private readonly NamedServers $named;
    private readonly int $owner;

    /** @var Closure(string): void */
    private readonly Closure $progress;

    /** @var array<string, list<Server>> by kind */
    private array $servers = [];

    /** @var array<string, array{version: string, command: string}> of all that were started, dead ones too */
    private array $facts = [];

    /**
     * @param string $directory short, since unix sockets lie in it, and open to other accounts when this is root
     * @param array<string, list<Endpoint>>  $named     as parseNamed() gives them
     * @param (Closure(string): void)|null   $progress  told of each start that takes longer than a blink
     * @param string|null $scripts what Kind::Fpm serves; the directory scripts beside this class if not given
     * @param array<string, string>          $ini       of Kind::Fpm
     * @param int                            $workers   of php-fpm, for each of Kind::Fpm and Kind::Site
     * @param string|null $kept directory of the example site's items; where script/demo keeps its own if not given
     */
    public function __construct(
        private readonly string $directory,
        array $named = [],
        ?Closure $progress = null,
        private readonly ?string $scripts = null,
        private readonly array $ini = [],
        private readonly int $workers = 4,
        private readonly ?string $kept = null,
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
     * @param list<string> $options values of --server
     *
     * @return array<string, list<Endpoint>> by kind
     *
     * @throws ServerRefused
     */
    public static function parseNamed(array $options): array
    {
        return NamedServers::parse($options);
    }

    /**
     * As many as asked for; those that are not there yet are started. Pids are those of now; a named server has none,
     * as it may do more than this run's work.
     *
     * @return list<Endpoint>
     *
     * @throws ServerFailed if one does not start, with the Debian package that it is in if that is missing
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
     *     "memcached 2"
     *
     * @phpstan-impure
     */
    public function facts(): array
    {
        return $this->named->facts() + $this->facts;
    }

    /**
     * @return list<string> names of servers that ended without being told to, as in facts()
     *
     * @phpstan-impure
     */
    public function dead(): array
    {
        $dead = [];
        foreach ($this->servers as $kind => $servers) {
            foreach ($servers as $number => $server) {
                if (!$server->isRunning()) {
                    $dead[] = self::name(Kind::from($kind), $number);
                }
            }
        }

        return $dead;
    }

    /**
     * Ends one and starts it again, with nothing in it but MariaDB's tables. Stores keep their ports, unless somebody
     * else took one; nginx gets another.
     *
     * @param int $instance from 0
     */
    public function restart(Kind $kind, int $instance): void
    {
        $server = $this->own($kind, $instance);
        $before = $server->endpoint();
        $server->stop();
        $servers = $this->servers[$kind->value] ?? [];
        $servers[$instance] = $this->start($kind, $instance, $before);
        $this->servers[$kind->value] = array_values($servers);
    }

    /** Starts again what died, empty: for work that will fill it first. */
    public function revive(): void
    {
        foreach ($this->servers as $kind => $servers) {
            foreach ($servers as $number => $server) {
                if (!$server->isRunning()) {
                    $this->restart(Kind::from($kind), $number);
                }
            }
        }
    }

    /**
     * SIGKILL to all of its processes, as a crash would be.
     *
     * @param int $instance from 0
     */
    public function kill(Kind $kind, int $instance): void
    {
        $server = $this->own($kind, $instance);
        foreach ($server->endpoint()->pids as $pid) {
            posix_kill($pid, SIGKILL);
        }
        for ($deadline = microtime(true) + 2.0; $server->isRunning() && microtime(true) < $deadline;) {
            usleep(1_000);
        }
    }

    public function stop(): void
    {
        if ($this->owner !== getmypid()) {
            return;
        }
        $servers = array_merge(...array_values($this->servers));
        // All are told at once, and then waited for one by one.
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

    private function own(Kind $kind, int $instance): Server
    {
        if ($this->named->has($kind)) {
            throw ServerFailed::because(
                \sprintf('the %s was named with --server and is not this run\'s to stop', $kind->value),
            );
        }

        return $this->servers[$kind->value][$instance]
            ?? throw ServerFailed::because(\sprintf('%s was not started', self::name($kind, $instance)));
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
            Kind::MariaDb => new MariaDb(
                $directory,
                [
                    $before->port ?? 0,
                    (int) ($before->extra['handlersocket'] ?? 0),
                    (int) ($before->extra['handlersocket-write'] ?? 0),
                ],
            ),
            Kind::Fpm => new Fpm($directory, $this->scripts ?? __DIR__ . '/scripts', $this->workers, ini: $this->ini),
            Kind::Site => new PageSite($directory, $this->items(), $this->workers),
            Kind::None => throw ServerFailed::because('there is no server of no kind'),
        };
    }

    /** @return string SQLite file */
    private function items(): string
    {
        $kept = $this->kept ?? \dirname(__DIR__, 3) . '/build/demo';
        if (!is_dir($kept) && !@mkdir($kept, recursive: true) && !is_dir($kept)) {
            throw ServerFailed::because('cannot make the directory ' . $kept);
        }
        if (!is_file(\sprintf('%s/items-%d.sqlite', $kept, self::ITEMS))) {
            ($this->progress)('items of the example site: real texts out of apt\'s package lists');
        }

        return ExampleSite::database((string) realpath($kept), self::ITEMS, function (int $items): void {
            if ($items % 250 === 0) {
                ($this->progress)(\sprintf('items of the example site: %d of %d', $items, self::ITEMS));
            }
        });
    }

    private static function name(Kind $kind, int $number): string
    {
        return $kind->value . ($number === 0 ? '' : ' ' . ($number + 1));
    }
}
