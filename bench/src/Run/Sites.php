<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Http\OverHttp;
use Larder\Bench\Workload\InProcess;
use Larder\Testbed\Net\DelayProxy;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;

/**
 * Where each cell's servers are: as the fleet has them, or behind proxies that add a network's delay (parameter `rtt`,
 * in ms); with the server that the parameter `database` names, if it is one; and on which processors.
 */
final class Sites
{
    /** @var array<string, DelayProxy> by delay and target */
    private array $proxies = [];

    /** @var array<int, string> processors by process */
    private array $placed = [];

    /** The run's own directory. */
    public readonly string $directory;

    public readonly Fleet $fleet;

    private readonly TemporaryDirectory $temporary;

    /**
     * @param string                        $parent directory that the run's own, temporary one is made in
     * @param array<string, list<Endpoint>> $named  servers that the user named, by kind
     * @param \Closure(string): void        $say    what happens to the servers
     * @param string|null                   $site   directory of the site whose pages are measured; null: none
     */
    public function __construct(string $parent, public readonly array $named, \Closure $say, ?string $site = null)
    {
        // The name is short, since a unix socket's path may have 107 bytes.
        $this->temporary = new TemporaryDirectory('lb', $parent);
        $this->directory = $this->temporary->path;
        // Servers run under other accounts.
        chmod($this->directory, 0o755);
        $this->fleet = new Fleet($this->directory, $named, $say, $site);
    }

    /** @return list<Endpoint> */
    public function endpoints(Planned $planned, Definition $subject, Placement $placement): array
    {
        $endpoints = $subject->needs === Kind::None
            ? []
            : $this->fleet->endpoints($subject->needs, $subject->instances);
        $delay = $planned->parameters['rtt'] ?? 0;
        if ($delay > 0 && ($subject->needs === Kind::Memcached || $subject->needs === Kind::Redis)) {
            $endpoints = array_map(
                fn(Endpoint $endpoint): Endpoint => $this->delayed($endpoint, (float) $delay),
                $endpoints,
            );
        }
        $workload = $planned->test->workload;
        $database = Kind::tryFrom((string) ($planned->parameters['database'] ?? ''));
        if ($database !== null && $workload instanceof InProcess) {
            $endpoints = [...$endpoints, ...$this->fleet->endpoints($database, 1)];
        }
        if ($workload instanceof OverHttp && $workload->needsFpm()) {
            $endpoints = [...$endpoints, ...$this->fleet->endpoints(Kind::Fpm, 1)];
        }
        foreach ($endpoints as $endpoint) {
            array_map(fn(int $pid) => $this->place($pid, implode(',', $placement->servers())), $endpoint->pids);
        }

        return $endpoints;
    }

    public function stop(): void
    {
        foreach ($this->proxies as $proxy) {
            $proxy->stop();
        }
        $this->proxies = [];
        $this->fleet->stop();
        $this->temporary->remove();
    }

    private function delayed(Endpoint $endpoint, float $milliseconds): Endpoint
    {
        $name = \sprintf('%s ms to port %d', $milliseconds, $endpoint->port);
        $proxy = $this->proxies[$name] ??= new DelayProxy($this->directory, $endpoint, $milliseconds);

        return $proxy->endpoint();
    }

    /** Moves all threads of a server. One that floated from its start is where it is to be. */
    private function place(int $pid, string $processors): void
    {
        $before = $this->placed[$pid] ?? implode(',', Placement::Floating->servers());
        if ($before !== $processors) {
            exec(\sprintf('taskset -apc %s %d 2>/dev/null', escapeshellarg($processors), $pid));
        }
        $this->placed[$pid] = $processors;
    }
}
