<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\ThroughFpm;
use Larder\Testbed\Net\DelayProxy;
use Larder\Testbed\Server\Endpoint;

/**
 * Where each cell's servers are: as the fleet has them, or behind proxies that add a network's delay (parameter `rtt`, in ms).
 * With the parameter `placement` = `apart`, servers keep to the first core and clients to the second.
 */
final class Sites
{
    /** @var array<string, DelayProxy> by delay and target */
    private array $proxies = [];

    public function __construct(
        public readonly Fleet $fleet,
        public readonly string $directory,
    ) {}

    /** @return list<Endpoint> */
    public function endpoints(Planned $planned, Definition $subject): array
    {
        $endpoints = $subject->needs === Kind::None ? [] : $this->fleet->endpoints($subject->needs, $subject->instances);
        $delay = $planned->parameters['rtt'] ?? 0;
        if ($delay > 0 && ($subject->needs === Kind::Memcached || $subject->needs === Kind::Redis)) {
            $endpoints = array_map(fn(Endpoint $endpoint): Endpoint => $this->delayed($endpoint, (float) $delay), $endpoints);
        }
        $this->place($planned, $endpoints);

        return $planned->test->workload instanceof ThroughFpm ? [...$endpoints, ...$this->fleet->endpoints(Kind::Fpm, 1)] : $endpoints;
    }

    /** @return list<string> what is put in front of the client's command */
    public function cores(Planned $planned): array
    {
        return ($planned->parameters['placement'] ?? 'float') === 'apart' ? ['taskset', '-c', '1'] : [];
    }

    public function stop(): void
    {
        foreach ($this->proxies as $proxy) {
            $proxy->stop();
        }
        $this->proxies = [];
        $this->fleet->stop();
    }

    private function delayed(Endpoint $endpoint, float $milliseconds): Endpoint
    {
        $name = \sprintf('%s ms to port %d', $milliseconds, $endpoint->port);
        $proxy = $this->proxies[$name] ??= new DelayProxy($this->directory, $endpoint, $milliseconds);

        return $proxy->endpoint();
    }

    /** @param list<Endpoint> $endpoints */
    private function place(Planned $planned, array $endpoints): void
    {
        if (!isset($planned->parameters['placement'])) {
            return;
        }
        $cores = $planned->parameters['placement'] === 'apart' ? '0' : '0-' . (Environment::cores() - 1);
        foreach ($endpoints as $endpoint) {
            foreach ($endpoint->pids as $pid) {
                exec(\sprintf('taskset -apc %s %d 2>/dev/null', $cores, $pid));
            }
        }
    }
}
