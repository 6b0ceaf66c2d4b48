<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;

/**
 * nginx and php-fpm for a directory of scripts: `/name.php` runs name.php of it, and any other address is a 404.
 *
 * Endpoint::$extra has `url`: `http://127.0.0.1:PORT`, without a slash at its end.
 *
 * nginx opens a connection to php-fpm for each request. A connection that nginx keeps holds a worker even while it is
 * idle, and requests on other connections wait: with 4 workers, 4 kept connections and 200 clients, a few clients were
 * served and the others not at all, which looked like a better latency. Without keeping, all were served alike.
 */
final class Fpm implements Server
{
    private readonly PhpFpm $php;
    private readonly Nginx $nginx;
    private readonly int $port;
    private readonly string $version;

    /**
     * @param string                $directory   for its files; made if need be
     * @param string                $scripts     opcache keeps a script from its first request on
     * @param array<string, string> $environment of the scripts
     * @param array<string, string> $ini         php.ini values, also those of the start, such as apc.shm_size
     * @param array<string, string> $fixed       php.ini values that scripts cannot change
     */
    public function __construct(
        private readonly string $directory,
        private readonly string $scripts,
        int $workers = 4,
        array $environment = [],
        array $ini = [],
        array $fixed = [],
    ) {
        if (preg_match('~^/[^\s"\'{};$\\\\]+$~D', $scripts) !== 1 || !is_dir($scripts)) {
            throw ServerFailed::because($scripts . ' is no directory, or nginx cannot be given its name');
        }
        $account = Account::ableToReach($scripts . '/script.php');
        foreach (['', '/tmp', '/ini'] as $own) {
            $account->own($directory . $own);
        }
        // In a file: the configuration of a pool comes too late for values that set the size of shared memory.
        $values = '';
        foreach ($ini + [
            'opcache.enable' => '1',
            'opcache.validate_timestamps' => '0',
            'opcache.file_update_protection' => '0',
            'apc.shm_size' => '256M',
        ] as $name => $value) {
            $values .= "{$name} = \"{$value}\"\n";
        }
        file_put_contents($directory . '/ini/bench.ini', $values);
        $environment += ['PHP_INI_SCAN_DIR' => ':' . $directory . '/ini'];
        $this->php = new PhpFpm($directory, $account, $workers, $environment, $fixed);
        $this->nginx = new Nginx($directory, fn(int $port): string => $this->configuration($port, $account->user));
        $this->port = $this->nginx->port();
        $this->version = \sprintf('%s, %s, %d workers', $this->nginx->version(), $this->php->version(), $workers);
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function endpoint(): Endpoint
    {
        $pids = $this->isRunning()
            ? [...ProcessTree::of($this->nginx->pid()), ...ProcessTree::of($this->php->pid())]
            : [];

        return new Endpoint('127.0.0.1', $this->port, 0, null, $pids, ['url' => 'http://127.0.0.1:' . $this->port]);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return $this->isRunning()
            ? ProcessTree::command($this->nginx->pid()) . '; ' . ProcessTree::command($this->php->pid())
            : '';
    }

    public function isRunning(): bool
    {
        return $this->nginx->isRunning() && $this->php->isRunning();
    }

    public function stop(): void
    {
        $this->nginx->stop();
        $this->php->stop();
    }

    private function configuration(int $port, ?string $user): string
    {
        $temporary = '';
        foreach (['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'] as $kind) {
            $temporary .= "    {$kind}_temp_path {$this->directory}/{$kind};\n";
        }
        $user = $user === null ? '' : "user {$user};\n";
        $script = PageScripts::php($this->php->socket, $this->scripts . '$uri', ['REQUEST_URI' => '$request_uri']);

        return <<<NGINX
            {$user}worker_processes auto;
            worker_rlimit_nofile 8192;
            pid {$this->directory}/nginx.pid;
            error_log {$this->directory}/nginx.log warn;

            events {
                worker_connections 2048;
            }

            http {
            {$temporary}
                access_log off;
                server_tokens off;
                keepalive_timeout 60s;
                keepalive_requests 100000;

                server {
                    listen 127.0.0.1:{$port};
                    location / {
                        return 404;
                    }
                    location ~ ^/[A-Za-z0-9_/-]+\\.php\$ {
                        {$script}
                    }
                }
            }

            NGINX;
    }
}
