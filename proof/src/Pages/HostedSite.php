<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\Site\RunningSite;

/** The example site on one host or more, which share its database and the memcached servers of its pages. */
final readonly class HostedSite
{
    private function __construct(
        /** @var non-empty-list<DeployedSite> */
        public array $hosts,
        /** @var list<Memcached> empty: the pages are files */
        public array $memcached,
    ) {}

    /**
     * @param string                $root        directory of the code that all hosts have
     * @param string                $directory   for everything that the servers write; exists
     * @param Database              $database    with the site's tables; stop() stops it too
     * @param int<1, max>           $hosts
     * @param int                   $memcached   servers that have the pages; 0: they are files
     * @param array<string, string> $environment further variables of the site
     * @param array<string, string> $startup     php.ini values of php-fpm's masters
     * @param string|null           $user        see RunningSite::start()
     */
    public static function start(
        string $root,
        string $directory,
        Database $database,
        int $hosts,
        int $memcached,
        int $workers = 4,
        array $environment = [],
        array $startup = [],
        ?string $user = null,
    ): self {
        $servers = [];
        $addresses = [];
        for ($number = 1; $number <= $memcached; ++$number) {
            $servers[] = $server = new Memcached("$directory/memcached-$number");
            $addresses[] = '127.0.0.1:' . $server->endpoint()->port;
        }
        $environment += $addresses === [] ? [] : ['APP_PAGES_MEMCACHED' => implode(',', $addresses)];
        $start = static fn(int $number, ?DeployedSite $first): DeployedSite => DeployedSite::start(
            $root,
            "$directory/host-$number",
            $database,
            $workers,
            $environment,
            startup: $startup,
            user: $user,
            first: $first,
        );
        $running = [$start(1, null)];
        for ($number = 2; $number <= $hosts; ++$number) {
            $running[] = $start($number, $running[0]);
        }

        return new self($running, $servers);
    }

    public function stop(): void
    {
        foreach (array_reverse($this->hosts) as $host) {
            $host->stop();
        }
        foreach ($this->memcached as $server) {
            $server->stop();
        }
    }
}
