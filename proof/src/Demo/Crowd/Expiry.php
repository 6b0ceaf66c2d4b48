<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use Closure;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\ServerProcess;

/**
 * The crowd at 200, 400 and 800 visitors on the store of the site, and at 200 on each other one that this machine has.
 */
final readonly class Expiry
{
    public const VISITORS = [200, 400, 800];

    /**
     * @param string                $directory exists; is the caller's to remove
     * @param string                $items     SQLite file that app/bin/import made
     * @param array<string, string> $startup   php.ini values of php-fpm's master
     * @param Closure(string): void $progress
     */
    public function __construct(
        private string $directory,
        private string $items,
        private array $startup,
        private Closure $progress,
    ) {}

    /**
     * @param non-empty-list<int> $visitors
     *
     * @return list<Burst>
     */
    public function measure(array $visitors = self::VISITORS): array
    {
        $servers = $this->servers();
        try {
            $bursts = [];
            foreach ($visitors as $number => $many) {
                $settings = ['memory' => $number === 0 ? Way::cases() : [Way::Plain, Way::Remember]];
                foreach ($number === 0 ? $servers : [] as $kind => $server) {
                    $settings[$kind . ':' . $server->endpoint()->address()] = [Way::Plain, Way::Remember];
                }
                $bursts = [...$bursts, ...$this->at($many, $settings)];
            }

            return $bursts;
        } finally {
            array_map(static fn(ServerProcess $server) => $server->stop(), $servers);
        }
    }

    /**
     * @param array<string, list<Way>> $settings the ways on each store
     *
     * @return list<Burst>
     */
    private function at(int $visitors, array $settings): array
    {
        $directory = $this->directory . '/' . $visitors;
        mkdir($directory);
        copy($this->items, $directory . '/items.sqlite');
        $crowd = new Crowd($directory, $visitors, $this->startup);
        try {
            $bursts = [];
            foreach ($settings as $setting => $ways) {
                foreach ($ways as $way) {
                    ($this->progress)(
                        \sprintf(
                            '%d visitors, one expiry: %s on %s',
                            $visitors,
                            $way->value,
                            explode(':', $setting)[0],
                        ),
                    );
                    $bursts[] = $crowd->burst($way, $setting);
                }
            }

            return $bursts;
        } finally {
            $crowd->stop();
        }
    }

    /** @return array<string, ServerProcess> those that are installed, by kind */
    private function servers(): array
    {
        $directory = $this->directory . '/servers';
        mkdir($directory);
        chmod($directory, 0o711);
        $servers = [];
        if (Program::find('memcached') !== null) {
            $servers['memcached'] = new Memcached("$directory/memcached", socket: true, connections: 4096);
        }
        if (Program::find('redis-server') !== null) {
            $servers['redis'] = new Redis("$directory/redis", connections: 4096);
        }

        return $servers;
    }
}
