<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** nginx with a configuration of its own. */
final class Nginx
{
    public readonly string $log;
    private ?Daemon $daemon = null;

    /** @param string $directory the one that the configuration names for pid and log; exists */
    public function __construct(
        private readonly string $directory,
    ) {
        $this->log = $directory . '/nginx.log';
    }

    /** A port of 127.0.0.1 that is free now. Another process may take it before it is used. */
    public static function freePort(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        if ($socket === false) {
            throw ServerFailed::because('there is no free port on 127.0.0.1');
        }
        $name = (string) stream_socket_get_name($socket, false);
        fclose($socket);

        return (int) substr($name, (int) strrpos($name, ':') + 1);
    }

    /**
     * @param string                $configuration a whole nginx.conf, as NginxConfig::whole() makes it
     * @param array<string, string> $environment
     *
     * @throws ServerFailed with portTaken, if so
     */
    public function start(string $configuration, array $environment = []): void
    {
        $file = $this->directory . '/nginx.conf';
        file_put_contents($file, $configuration);
        @unlink($this->pidFile());
        @unlink($this->log);
        $command = [Program::nginx(), '-p', $this->directory, '-e', $this->log, '-c', $file, '-g', 'daemon off;'];
        $this->daemon = new Daemon('nginx', $command, ['PATH' => (string) getenv('PATH'), ...$environment], $this->directory . '/nginx.out');
        $this->daemon->awaitReady($this->listens(...), $this->log);
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
        return $this->daemon->pid ?? throw ServerFailed::because('nginx is stopped');
    }

    /** nginx writes its pid after it has bound its addresses: an answer on the port could be another process's. */
    private function listens(): bool
    {
        if ((int) @file_get_contents($this->pidFile()) === $this->pid()) {
            return true;
        }
        if (str_contains((string) @file_get_contents($this->log), 'Address already in use')) {
            $this->stop();
            throw ServerFailed::portTaken('nginx');
        }

        return false;
    }

    private function pidFile(): string
    {
        return $this->directory . '/nginx.pid';
    }
}
