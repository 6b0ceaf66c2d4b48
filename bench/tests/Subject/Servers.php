<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Server\Kind;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\Server;

/** Real servers in a temporary directory, started when first asked for. */
final class Servers
{
    public readonly string $directory;

    /** @var array<string, list<Server>> */
    private array $servers = [];

    public function __construct()
    {
        $this->directory = sys_get_temp_dir() . '/larder-subjects-' . bin2hex(random_bytes(6));
        mkdir($this->directory, 0o755);
        mkdir($this->directory . '/run');
    }

    public function __destruct()
    {
        $this->stop();
    }

    /** @return list<Endpoint> */
    public function endpoints(Kind $kind, int $count): array
    {
        $servers = $this->servers[$kind->value] ?? [];
        while (\count($servers) < $count && $kind !== Kind::None) {
            $directory = \sprintf('%s/%s-%d', $this->directory, $kind->value, \count($servers));
            $servers[] = match ($kind) {
                Kind::Memcached => new Memcached($directory),
                Kind::MemcachedUnix => new Memcached($directory, socket: true),
                Kind::Redis => new Redis($directory),
                Kind::MariaDb => new MariaDb($directory),
                default => throw new \LogicException('not here: ' . $kind->value),
            };
        }
        $this->servers[$kind->value] = $servers;

        return array_map(static fn(Server $server): Endpoint => $server->endpoint(), \array_slice($servers, 0, $count));
    }

    public function stopOne(Kind $kind, int $index): void
    {
        $this->servers[$kind->value][$index]->stop();
    }

    public function stop(): void
    {
        foreach ($this->servers as $servers) {
            foreach ($servers as $server) {
                $server->stop();
            }
        }
        $this->servers = [];
        self::remove($this->directory);
    }

    private static function remove(string $path): void
    {
        if (is_dir($path) && !is_link($path)) {
            foreach (array_diff((array) scandir($path), ['.', '..']) as $name) {
                self::remove($path . '/' . $name);
            }
            rmdir($path);
        } elseif (file_exists($path) || is_link($path)) {
            unlink($path);
        }
    }
}
