<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use RuntimeException;

/**
 * Visitors who all want a page of 35 lists at the moment when all of these have expired: real requests to nginx, and
 * one worker of php-fpm for each visitor, so that none of them stands in a queue before PHP.
 */
final class Crowd
{
    private const PATIENCE = 60;

    /**
     * Milliseconds. Where hundreds want a processor of two, one that holds a lock of the store may have to wait for
     * long before it goes on.
     */
    private const LOCK_TIMEOUT = '5000';

    private readonly PhpFpm $php;

    private readonly Nginx $nginx;

    private readonly int $port;

    /**
     * @param string                $directory with a file items.sqlite
     * @param array<string, string> $startup   php.ini values of php-fpm's master
     */
    public function __construct(
        private readonly string $directory,
        private readonly int $visitors,
        array $startup,
    ) {
        $account = Account::ableToReach(__FILE__);
        foreach ([$directory, $directory . '/tmp'] as $own) {
            $account->own($own);
        }
        $environment = ['CROWD_DIRECTORY' => $directory, 'CROWD_DATABASE' => $directory . '/items.sqlite'];
        $this->php = new PhpFpm(
            $directory,
            $account,
            $visitors,
            $environment,
            ['opcache.validate_timestamps' => '0'],
            $startup + ['larder.lock_timeout' => self::LOCK_TIMEOUT],
        );
        $this->nginx = new Nginx($directory, $this->configuration(...));
        $this->port = $this->nginx->port();
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

    /**
     * Fills the store, lets all of it expire while the visitors gather, and lets them in.
     *
     * @param string $setting as App\ValueStore takes it
     */
    public function burst(Way $way, string $setting): Burst
    {
        $gate = new Gate($this->directory);
        $gate->close();
        [$page] = $this->await([$this->ask($way, $setting, waits: false)], hrtime(true));
        if ($page['body'] === '') {
            throw new RuntimeException(
                'The page does not answer: ' . @file_get_contents($this->directory . '/php.log'),
            );
        }
        $filled = microtime(true);
        $gate->close();
        $visitors = array_map(fn(): mixed => $this->ask($way, $setting, waits: true), range(1, $this->visitors));
        $deadline = microtime(true) + self::PATIENCE;
        while ($gate->arrived() < $this->visitors || microtime(true) < $filled + Visit::EXPIRES + 0.1) {
            if (microtime(true) > $deadline) {
                throw new RuntimeException(\sprintf('%d of %d visitors have come', $gate->arrived(), $this->visitors));
            }
            usleep(10_000);
        }
        $opened = hrtime(true);
        $gate->open();
        $answers = $this->await($visitors, $opened);
        $waited = array_column($answers, 'milliseconds');
        sort($waited);
        $wrong = array_filter($answers, static fn(array $answer): bool => $answer['body'] !== $page['body']);

        return new Burst(explode(':', $setting)[0], $way, array_values($gate->queries()), $waited, \count($wrong));
    }

    /** @return resource */
    private function ask(Way $way, string $setting, bool $waits): mixed
    {
        $stream = @stream_socket_client('tcp://127.0.0.1:' . $this->port, timeout: 10);
        if ($stream === false) {
            throw new RuntimeException('nginx takes no more visitors.');
        }
        fwrite(
            $stream,
            'GET /?' . http_build_query(['way' => $way->value, 'store' => $setting, 'waits' => (int) $waits])
                . " HTTP/1.0\r\nHost: localhost\r\n\r\n",
        );
        stream_set_blocking($stream, false);

        return $stream;
    }

    /**
     * @param list<resource> $streams
     * @param int            $since   by hrtime(true)
     *
     * @return non-empty-list<array{body: string, milliseconds: float}>
     */
    private function await(array $streams, int $since): array
    {
        $received = array_fill_keys(array_keys($streams), '');
        $answers = [];
        while ($streams !== []) {
            $ready = $streams;
            $write = $except = null;
            if (stream_select($ready, $write, $except, self::PATIENCE) < 1) {
                throw new RuntimeException(\count($streams) . ' visitors still wait.');
            }
            foreach ($ready as $visitor => $stream) {
                $received[$visitor] .= (string) fread($stream, 65536);
                if (feof($stream)) {
                    [$head, $body] = explode("\r\n\r\n", $received[$visitor], 2) + [1 => ''];
                    $answers[] = [
                        'body' => str_contains($head, ' 200 ') ? $body : '',
                        'milliseconds' => (hrtime(true) - $since) / 1e6,
                    ];
                    unset($streams[$visitor]);
                }
            }
        }

        return $answers === [] ? throw new RuntimeException('There are no visitors.') : $answers;
    }

    private function configuration(int $port): string
    {
        $temporary = implode(
            "\n",
            array_map(
                fn(string $kind): string => "    {$kind}_temp_path {$this->directory}/{$kind};",
                ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'],
            ),
        );
        $script = __DIR__ . '/visit.php';
        $user = posix_geteuid() === 0 ? 'user ' . (Account::ableToReach(__FILE__)->user ?? 'root') . ";\n" : '';

        return <<<NGINX
            {$user}worker_processes 2;
            worker_rlimit_nofile 8192;
            pid {$this->directory}/nginx.pid;
            error_log {$this->directory}/nginx.log warn;
            events {
                worker_connections 4096;
            }
            http {
                access_log off;
            {$temporary}
                server {
                    listen 127.0.0.1:{$port} backlog=2048;
                    location / {
                        include /etc/nginx/fastcgi_params;
                        fastcgi_pass unix:{$this->php->socket};
                        fastcgi_param SCRIPT_FILENAME {$script};
                        fastcgi_param HTTP_PROXY "";
                        fastcgi_read_timeout 120s;
                    }
                }
            }

            NGINX;
    }
}
