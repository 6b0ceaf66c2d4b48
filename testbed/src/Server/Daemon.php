<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Closure;

/**
 * A server's master process, run in the foreground, with all its workers in a process group of their own.
 *
 * No process outlives this one: not after stop(), not after an exception (the destructor), and not after a SIGKILL
 * either (setpriv asks the kernel to end the master with its parent).
 */
final class Daemon
{
    private const PATIENCE = 2.0;

    /** @var resource|null */
    private $process;

    /** A forked child has this object too, and must not end what is its parent's. */
    private readonly int $owner;

    public readonly int $pid;

    /**
     * @param non-empty-list<string> $command
     * @param array<string, string>  $environment the whole of it
     * @param string                 $output      file for what it prints
     */
    public function __construct(
        private readonly string $name,
        array $command,
        array $environment,
        private readonly string $output,
        private readonly int $ending = SIGTERM,
    ) {
        $process = proc_open(
            [...self::guards(), ...$command],
            [['file', '/dev/null', 'r'], ['file', $output, 'a'], ['file', $output, 'a']],
            $pipes,
            '/',
            $environment,
        );
        if ($process === false) {
            throw ServerFailed::because('cannot start ' . $name);
        }
        $this->process = $process;
        $this->pid = proc_get_status($process)['pid'];
        $this->owner = (int) getmypid();
    }

    public function __destruct()
    {
        $this->stop();
    }

    /** @phpstan-impure */
    public function isRunning(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    /**
     * @param Closure(): bool $ready
     * @param string          $log   to quote when it fails
     *
     * @throws ServerFailed if the process ends or the time is over; it is stopped then
     */
    public function awaitReady(Closure $ready, string $log, float $seconds = 60.0): void
    {
        $deadline = microtime(true) + $seconds;
        while (!$ready()) {
            $running = $this->isRunning();
            if ($running && microtime(true) < $deadline) {
                usleep(5_000);
                continue;
            }
            $this->stop();
            $quoted = is_file($log) && filesize($log) > 0 ? $log : $this->output;
            throw $running
                ? ServerFailed::late($this->name, $seconds, $quoted)
                : ServerFailed::ended($this->name, $quoted);
        }
    }

    /** The signal to the master; after two seconds SIGKILL to whatever is left of the group. */
    public function stop(): void
    {
        $process = $this->process;
        if ($process === null || $this->owner !== getmypid()) {
            return;
        }
        if ($this->isRunning()) {
            posix_kill($this->pid, $this->ending);
            $this->await(fn(): bool => !$this->isRunning());
        }
        posix_kill(-$this->pid, SIGKILL);
        proc_close($process);
        $this->process = null;
        $this->await(fn(): bool => !posix_kill(-$this->pid, 0));
    }

    /** @param Closure(): bool $done */
    private function await(Closure $done): void
    {
        $deadline = microtime(true) + self::PATIENCE;
        while (!$done() && microtime(true) < $deadline) {
            usleep(5_000);
        }
    }

    /** @return list<string> each replaces itself by the command after it, so that the process id stays */
    private static function guards(): array
    {
        $setsid = Program::find('setsid') ?? throw ServerFailed::missing('setsid', 'util-linux');
        $setpriv = Program::find('setpriv');

        return $setpriv === null ? [$setsid] : [$setpriv, '--pdeathsig', 'TERM', $setsid];
    }
}
