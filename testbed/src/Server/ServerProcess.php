<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * A server in a directory of its own, as all kinds here start, pause, kill and restart it.
 *
 * The constructor of each kind starts it. A free port can be taken by another process before the server binds it: the
 * server that lost it is started again on another. After restart() it has the ports that it had, unless another process
 * took them meanwhile.
 */
abstract class ServerProcess implements Server
{
    private const ATTEMPTS = 5;
    private const TAKEN = '/address already in use|in use by another|failed listening|failed to listen/i';

    private ?Daemon $daemon = null;

    /** @var list<string> */
    private array $words = [];

    /** A fork has this object too, and must not end its parent's server. */
    private readonly int $owner;

    /**
     * @param string                $name        of the program, in messages
     * @param list<int>             $ports       to be tried first; 0: any that is free
     * @param array<string, string> $environment beside PATH
     * @param float                 $patience    seconds until it must answer
     * @param int                   $ending      signal that ends it at once, whoever is connected
     */
    protected function __construct(
        private readonly string $name,
        protected readonly string $directory,
        protected readonly Account $account,
        private array $ports = [],
        private readonly array $environment = [],
        private readonly float $patience = 60.0,
        private readonly int $ending = SIGTERM,
    ) {
        $this->owner = (int) getmypid();
    }

    public function __destruct()
    {
        $this->stop();
    }

    /** Starts the server again after stop() or kill(). Nothing happens to a server that runs. */
    public function start(): void
    {
        for ($attempt = 1; !$this->isRunning(); ++$attempt) {
            @unlink($this->output());
            $ports = self::choose($this->ports);
            $this->words = $this->words($ports);
            $environment = ['PATH' => (string) getenv('PATH'), ...$this->environment];
            $daemon = new Daemon($this->name, $this->words, $environment, $this->output(), $this->ending);
            try {
                $daemon->awaitReady(fn(): bool => $this->answers($ports, $daemon->pid), $this->log(), $this->patience);
                [$this->daemon, $this->ports] = [$daemon, $ports];
            } catch (ServerFailed $failed) {
                $daemon->stop();
                $said = (string) @file_get_contents($this->log()) . (string) @file_get_contents($this->output());
                $isTaken = $failed->portTaken || preg_match(self::TAKEN, $said) === 1;
                if (!$isTaken || $attempt === self::ATTEMPTS) {
                    throw $failed;
                }
                $this->ports = array_fill(0, \count($this->ports), 0);
            }
        }
    }

    public function stop(): void
    {
        if ($this->owner === getmypid()) {
            $this->resume();
            $this->daemon?->stop();
            $this->daemon = null;
        }
    }

    /** Ends the server and its workers with SIGKILL. */
    public function kill(): void
    {
        if ($this->owner === getmypid() && $this->daemon !== null) {
            $daemon = $this->daemon;
            $this->signal(SIGKILL);
            $daemon->stop();
            $this->daemon = null;
        }
    }

    public function restart(): void
    {
        $this->stop();
        $this->start();
    }

    /** Until resume() the kernel takes connections and bytes for the server, and nothing answers them. */
    public function pause(): void
    {
        $this->signal(SIGSTOP);
        // A thread that was at work stops a moment later.
        for ($try = 0; $try < 3000 && array_diff($this->states(), ['T']) !== []; ++$try) {
            usleep(1000);
        }
    }

    public function resume(): void
    {
        if ($this->daemon !== null) {
            $this->signal(SIGCONT);
        }
    }

    /** @phpstan-impure */
    public function isRunning(): bool
    {
        return $this->daemon?->isRunning() ?? false;
    }

    public function pid(): int
    {
        return $this->daemon->pid ?? throw ServerFailed::because($this->name . ' is stopped');
    }

    public function command(): string
    {
        return implode(' ', array_map(static fn(string $word): string => $word === '' ? '""' : $word, $this->words));
    }

    public function log(): string
    {
        return $this->output();
    }

    /** A port that the server has, or had before it was stopped; 0: none. */
    protected function port(int $index = 0): int
    {
        return $this->ports[$index] ?? 0;
    }

    /** @return list<int> of the server and its workers */
    protected function pids(): array
    {
        return $this->isRunning() ? ProcessTree::of($this->pid()) : [];
    }

    /**
     * @param list<int> $ports
     *
     * @return non-empty-list<string>
     */
    abstract protected function words(array $ports): array;

    /**
     * Whether this very process answers at its ports: another could have taken one.
     *
     * @param list<int> $ports
     */
    abstract protected function answers(array $ports, int $pid): bool;

    /** To the server, which was started, and its workers. */
    protected function signal(int $signal): void
    {
        posix_kill(-$this->pid(), $signal);
    }

    protected static function program(string $name, string $package): string
    {
        return Program::find($name) ?? throw ServerFailed::missing($name, $package);
    }

    /** File for what the server prints. */
    private function output(): string
    {
        return $this->directory . '/' . $this->name . '.out';
    }

    /** @return list<string> of each thread: T is stopped (proc(5), stat) */
    private function states(): array
    {
        $states = [];
        foreach (ProcessTree::of($this->pid()) as $pid) {
            foreach (ProcessTree::threads($pid) as $thread) {
                $stat = (string) @file_get_contents("/proc/$pid/task/$thread/stat");
                $states[] = preg_match('/\) (\w)/', $stat, $found) === 1 ? $found[1] : 'T';
            }
        }

        return $states;
    }

    /**
     * @param list<int> $wanted
     *
     * @return list<int> all different
     */
    private static function choose(array $wanted): array
    {
        $ports = [];
        foreach ($wanted as $port) {
            while ($port === 0 || \in_array($port, $ports, true)) {
                $port = Ports::free();
            }
            $ports[] = $port;
        }

        return $ports;
    }
}
