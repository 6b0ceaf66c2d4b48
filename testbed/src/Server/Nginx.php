<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Closure;

/** One nginx on a free port of 127.0.0.1, with a configuration of its own. */
final class Nginx extends ServerProcess
{
    /** Nanoseconds that nginx may take to fork its workers. */
    private const FORKS = 1_000_000_000;

    /** Nanoseconds that workers may take to end after a reload. */
    private const PATIENCE = 60_000_000_000;

    private ?int $boundAt = null;

    /** What `-v` says. */
    private ?string $version = null;

    /**
     * @param string                $directory     the one that the configuration names for pid and log; made if need be
     * @param Closure(int): string $configuration a whole nginx.conf for a port, as NginxConfig::whole() makes it. It
     *     writes its pid to nginx.pid in the directory
     * @param array<string, string> $environment   beside PATH
     * @param int                   $port          to be tried first; 0: any that is free
     *
     * @throws ServerFailed
     */
    public function __construct(
        string $directory,
        private readonly Closure $configuration,
        array $environment = [],
        int $port = 0,
    ) {
        Program::nginx();
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        parent::__construct('nginx', $directory, Account::current(), [$port], $environment);
        $this->start();
    }

    public function port(int $index = 0): int
    {
        return parent::port($index);
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('127.0.0.1', $this->port(), pids: $this->pids());
    }

    public function version(): string
    {
        if ($this->version === null) {
            exec(escapeshellarg(Program::nginx()) . ' -v 2>&1', $lines);
            $this->version = preg_match('~nginx/(\S+)~', implode(' ', $lines), $found) === 1
                ? 'nginx ' . $found[1]
                : 'nginx of an unknown version';
        }

        return $this->version;
    }

    /**
     * Has nginx read its configuration anew, and waits until no worker of before is left: until then one of them may
     * take a request.
     *
     * @param (Closure(): mixed)|null $signal sends SIGHUP; null: this does
     *
     * @throws ServerFailed if they stay, as they do when the configuration is refused
     */
    public function reload(?Closure $signal = null): void
    {
        $before = array_diff($this->pids(), [$this->pid()]);
        $signal === null ? posix_kill($this->pid(), SIGHUP) : $signal();
        for ($deadline = hrtime(true) + self::PATIENCE; hrtime(true) < $deadline; usleep(10_000)) {
            $now = $this->pids();
            if (\count($now) > 1 && array_intersect($before, $now) === []) {
                return;
            }
        }
        throw ServerFailed::because('nginx has kept its workers: ' . @file_get_contents($this->log()));
    }

    public function log(): string
    {
        return $this->directory . '/nginx.log';
    }

    protected function words(array $ports): array
    {
        $file = $this->directory . '/nginx.conf';
        file_put_contents($file, ($this->configuration)($ports[0] ?? 0));
        @unlink($this->pidFile());
        $this->boundAt = null;
        @unlink($this->log());

        return [Program::nginx(), '-p', $this->directory, '-e', $this->log(), '-c', $file, '-g', 'daemon off;'];
    }

    /** nginx writes its pid after it has bound its addresses: an answer on the port could be another process's. */
    protected function answers(array $ports, int $pid): bool
    {
        if ((int) @file_get_contents($this->pidFile()) === $pid) {
            $this->boundAt ??= (int) hrtime(true);

            // Readers of endpoint() are to see all workers. The configuration may mean fewer than are counted here.
            return \count(ProcessTree::of($pid)) > $this->workers() || hrtime(true) > $this->boundAt + self::FORKS;
        }
        // nginx would try it for seconds.
        if (str_contains((string) @file_get_contents($this->log()), 'Address already in use')) {
            throw ServerFailed::portTaken('nginx');
        }

        return false;
    }

    /** @return int that the configuration asks for; as many as there are processors, if it leaves that to nginx */
    private function workers(): int
    {
        $configuration = (string) file_get_contents($this->directory . '/nginx.conf');
        if (preg_match('/^\s*worker_processes\s+(\w+)/m', $configuration, $found) !== 1) {
            return 1;
        }

        return $found[1] === 'auto' ? (int) exec('getconf _NPROCESSORS_ONLN') : (int) $found[1];
    }

    private function pidFile(): string
    {
        return $this->directory . '/nginx.pid';
    }
}
