<?php

declare(strict_types=1);

namespace Larder\Testbed\Site;

use Closure;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Page\Site;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\ServerFailed;

/**
 * A site on real servers: php-fpm on a unix socket, nginx on a free port of 127.0.0.1, everything else in one
 * directory.
 *
 *     $running = RunningSite::start($site, '/tmp/news', __DIR__ . '/public/index.php');
 *     file_get_contents($running->url . '/news/4');
 *     $running->stop();
 */
final class RunningSite
{
    private function __construct(
        public readonly string $directory,
        public readonly string $url,
        public readonly int $port,
        public readonly PhpFpm $php,
        public readonly Nginx $nginx,
    ) {}

    /**
     * @param string                        $directory   for configuration, sockets and logs; made if need be
     * @param string                        $script      front controller
     * @param string|null                   $public      directory of static files
     * @param array<string, string>         $environment of both servers
     * @param array<string, string>         $ini         php.ini values of the workers
     * @param array<string, string>         $startup     php.ini values of php-fpm's master
     * @param list<string> $writable further directories that the workers write to, such as the database's
     * @param string|null $user of the workers when this is root; www-data if not given and able to reach the script
     * @param (Closure(int): string)|null   $more        given the port, makes further server blocks
     * @param bool $isPatient whether nginx waits for memcached as long as a busy machine may take, and not 50 ms, after
     *     which a hit is a miss
     *
     * @throws ServerFailed if a server is not installed or does not start; nothing is left running then
     */
    public static function start(
        Site $site,
        string $directory,
        string $script,
        ?string $public = null,
        int $workers = 4,
        array $environment = [],
        array $ini = [],
        array $writable = [],
        ?string $user = null,
        ?Closure $more = null,
        array $startup = [],
        bool $isPatient = true,
    ): self {
        $account = $user === null ? Account::ableToReach($script) : Account::of($user);
        foreach ([$directory, $directory . '/tmp', $site->pages, ...$writable] as $owned) {
            $account->own($owned);
        }
        $account->mustReach($script);
        $php = new PhpFpm($directory, $account, $workers, $environment, $ini, $startup);
        $configuration = static function (int $port) use (
            $site,
            $directory,
            $script,
            $public,
            $more,
            $account,
            $php,
            $isPatient,
        ): string {
            $listen = ["127.0.0.1:{$port}"];
            $target = new NginxTarget(
                $listen,
                $php->socket,
                $script,
                $public,
                directory: $directory,
                user: $account->user,
                log: $directory . '/nginx.log',
            );

            $whole = (new NginxConfig($site, $target))->whole(...($more === null ? [] : [$more($port)]));

            return $isPatient ? (string) preg_replace('/^( *memc_\w+_timeout) \d+ms;/m', '$1 10s;', $whole) : $whole;
        };
        $nginx = new Nginx($directory, $configuration, $environment);
        $port = $nginx->port();
        $host = \in_array('127.0.0.1', $site->hosts, true) ? '127.0.0.1' : $site->hosts[0];

        return new self($directory, "http://{$host}:{$port}", $port, $php, $nginx);
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function stop(): void
    {
        $this->nginx->stop();
        $this->php->stop();
    }

    /** Stops the servers and ends this program when it is interrupted or terminated, as destructors alone would not. */
    public function stopOnSignals(): void
    {
        Signals::stop($this->stop(...));
    }

    /** @return list<int> of the servers' masters that run */
    public function pids(): array
    {
        return array_map(static fn(Nginx|PhpFpm $server): int => $server->pid(), array_values(array_filter(
            [$this->nginx, $this->php],
            static fn(Nginx|PhpFpm $server): bool => $server->isRunning(),
        )));
    }
}
