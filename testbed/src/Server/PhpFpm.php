<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Http\FastCgi;

/** php-fpm with a configuration of its own, on a unix socket, with a fixed number of workers. */
final class PhpFpm extends ServerProcess
{
    private const POOL = 'site';

    /** Longest path that fits into sockaddr_un. */
    private const LONGEST_SOCKET = 107;

    /** Seconds until new workers must have come. */
    private const PATIENCE = 60.0;

    /** What the log says once the workers of before are gone, and new ones take requests. */
    private const READY = 'ready to handle connections';

    public readonly string $socket;
    private readonly string $statusSocket;

    /**
     * @param string                $directory   for the configuration, sockets and logs; exists
     * @param array<string, string> $environment of the workers, beside PATH
     * @param array<string, string> $ini         php.ini values that scripts cannot change
     * @param array<string, string> $startup     php.ini values that count when PHP starts, such as an extension's
     *
     * @throws ServerFailed
     */
    public function __construct(
        string $directory,
        Account $account,
        private readonly int $workers = 4,
        array $environment = [],
        private array $ini = [],
        private readonly array $startup = [],
    ) {
        $this->socket = $directory . '/php.sock';
        $this->statusSocket = $directory . '/status.sock';
        if (\strlen($this->statusSocket) > self::LONGEST_SOCKET) {
            $longest = self::LONGEST_SOCKET;
            throw ServerFailed::because(
                "{$this->statusSocket} is longer than the $longest bytes that a socket's name may have",
            );
        }
        parent::__construct('php-fpm', $directory, $account, [], $environment);
        $this->start();
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('', 0, 0, $this->socket, $this->pids());
    }

    public function version(): string
    {
        return 'php-fpm ' . PHP_VERSION;
    }

    public function log(): string
    {
        return $this->directory . '/php-fpm.log';
    }

    /** Requests that the workers have taken since start(), killed workers included. */
    public function requests(): int
    {
        $accepted = $this->status()['accepted conn'] ?? null;

        return \is_int($accepted)
            ? $accepted
            : throw ServerFailed::because('php-fpm does not say how many requests it took');
    }

    /**
     * Reads the configuration again, as `systemctl reload` does, with further php.ini values. No worker of before is
     * left when it returns.
     *
     * @param array<string, string> $ini values that scripts cannot change
     *
     * @throws ServerFailed if no new workers come
     */
    public function reload(array $ini = []): void
    {
        $this->ini = [...$this->ini, ...$ini];
        file_put_contents($this->file(), $this->configuration());
        $seen = (int) filesize($this->log());
        posix_kill($this->pid(), SIGUSR2);
        $deadline = hrtime(true) + self::PATIENCE * 1e9;
        while (!str_contains((string) file_get_contents($this->log(), offset: $seen), self::READY)) {
            if (hrtime(true) > $deadline) {
                throw ServerFailed::late('php-fpm', self::PATIENCE, $this->log());
            }
            usleep(5_000);
            clearstatcache();
        }
    }

    /** @return list<int> process ids of the workers just now */
    public function workers(): array
    {
        $master = $this->pid();
        $children = @file_get_contents("/proc/{$master}/task/{$master}/children");
        $workers = [];
        foreach (array_filter(explode(' ', (string) $children), static fn(string $pid): bool => $pid !== '') as $pid) {
            if (rtrim((string) @file_get_contents("/proc/{$pid}/cmdline"), "\0 ") === 'php-fpm: pool ' . self::POOL) {
                $workers[] = (int) $pid;
            }
        }

        return $workers;
    }

    /**
     * php-fpm's account of its pool. A process of its own answers at the status socket: asking does not count as a
     * request, and is answered while all workers are busy.
     *
     * @return array<array-key, mixed>
     */
    private function status(): array
    {
        $body = (new FastCgi($this->statusSocket, '/status', 2))->get('json', '/status') ?? '';
        $status = json_decode($body, true);

        return \is_array($status)
            ? $status
            : throw ServerFailed::because('php-fpm gave no status but: ' . substr($body, 0, 200));
    }

    protected function words(array $ports): array
    {
        file_put_contents($this->file(), $this->configuration());
        $command = [Program::phpFpm(), '--nodaemonize', '--fpm-config', $this->file()];
        foreach ($this->startup as $name => $value) {
            $command = [...$command, '-d', $name . '=' . $value];
        }

        return $this->account->user === 'root' ? [...$command, '--allow-to-run-as-root'] : $command;
    }

    protected function answers(array $ports, int $pid): bool
    {
        try {
            return file_exists($this->socket) && $this->requests() >= 0;
        } catch (ServerFailed) {
            return false;
        }
    }

    private function file(): string
    {
        return $this->directory . '/php-fpm.conf';
    }

    private function configuration(): string
    {
        $pool = [
            'listen' => $this->socket,
            'listen.backlog' => '1024',
            'pm' => 'static',
            'pm.max_children' => (string) $this->workers,
            'pm.status_path' => '/status',
            'pm.status_listen' => $this->statusSocket,
            'clear_env' => 'no',
            'catch_workers_output' => 'yes',
            'decorate_workers_output' => 'no',
        ];
        if ($this->account->user !== null && $this->account->group !== null) {
            [$user, $group] = [$this->account->user, $this->account->group];
            $pool += ['user' => $user, 'group' => $group, 'listen.owner' => $user, 'listen.group' => $group];
        }
        $ini = $this->ini + [
            'display_errors' => '0',
            'log_errors' => '1',
            'error_log' => $this->directory . '/php.log',
            'session.save_path' => $this->directory . '/tmp',
            'sys_temp_dir' => $this->directory . '/tmp',
            'upload_tmp_dir' => $this->directory . '/tmp',
        ];
        foreach ($ini as $name => $value) {
            if (preg_match('/^[a-z0-9_.]+$/D', $name) !== 1 || preg_match('/["\\\\$\r\n]/', $value) === 1) {
                throw ServerFailed::because(\sprintf('php-fpm cannot be given %s = %s', $name, $value));
            }
            $pool['php_admin_value[' . $name . ']'] = '"' . $value . '"';
        }
        $text = "[global]\npid = {$this->directory}/php-fpm.pid\nerror_log = {$this->log()}\nlog_level = notice\n\n["
            . self::POOL . "]\n";
        foreach ($pool as $name => $value) {
            $text .= "{$name} = {$value}\n";
        }

        return $text;
    }
}
