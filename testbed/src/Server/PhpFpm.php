<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * php-fpm with a configuration of its own, on a unix socket, with a fixed number of workers.
 */
final class PhpFpm
{
    private const POOL = 'site';

    /** Longest path that fits into sockaddr_un. */
    private const LONGEST_SOCKET = 107;

    public readonly string $socket;
    public readonly string $log;
    private readonly string $statusSocket;
    private ?Daemon $daemon = null;

    /**
     * @param string                $directory   for the configuration, sockets and logs; exists
     * @param array<string, string> $environment the whole of the workers' environment, beside PATH
     * @param array<string, string> $ini         php.ini values that scripts cannot change
     * @param array<string, string> $startup     php.ini values that count when PHP starts, such as an extension's
     */
    public function __construct(
        private readonly string $directory,
        private readonly Account $account,
        private readonly int $workers = 4,
        private readonly array $environment = [],
        private readonly array $ini = [],
        private readonly array $startup = [],
    ) {
        $this->socket = $directory . '/php.sock';
        $this->statusSocket = $directory . '/status.sock';
        $this->log = $directory . '/php-fpm.log';
        if (\strlen($this->statusSocket) > self::LONGEST_SOCKET) {
            throw ServerFailed::because(\sprintf('%s is longer than the %d bytes that a socket\'s name may have', $this->statusSocket, self::LONGEST_SOCKET));
        }
    }

    public function start(): void
    {
        $configuration = $this->directory . '/php-fpm.conf';
        file_put_contents($configuration, $this->configuration());
        $command = [Program::phpFpm(), '--nodaemonize', '--fpm-config', $configuration];
        foreach ($this->startup as $name => $value) {
            $command = [...$command, '-d', $name . '=' . $value];
        }
        if ($this->account->user === 'root') {
            $command[] = '--allow-to-run-as-root';
        }
        $this->daemon = new Daemon('php-fpm', $command, ['PATH' => (string) getenv('PATH'), ...$this->environment], $this->directory . '/php-fpm.out');
        $this->daemon->awaitReady($this->answers(...), $this->log);
    }

    public function stop(): void
    {
        $this->daemon?->stop();
        $this->daemon = null;
    }

    public function isRunning(): bool
    {
        return $this->daemon?->isRunning() ?? false;
    }

    public function pid(): int
    {
        return $this->daemon->pid ?? throw ServerFailed::because('php-fpm is stopped');
    }

    /** Requests taken by the workers since start(). */
    public function requests(): int
    {
        return (new FastCgiStatus($this->statusSocket))->accepted();
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

    private function answers(): bool
    {
        try {
            return file_exists($this->socket) && $this->requests() >= 0;
        } catch (ServerFailed) {
            return false;
        }
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
            $pool += ['user' => $this->account->user, 'group' => $this->account->group, 'listen.owner' => $this->account->user, 'listen.group' => $this->account->group];
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
        $text = "[global]\npid = {$this->directory}/php-fpm.pid\nerror_log = {$this->log}\nlog_level = notice\n\n[" . self::POOL . "]\n";
        foreach ($pool as $name => $value) {
            $text .= "{$name} = {$value}\n";
        }

        return $text;
    }
}
