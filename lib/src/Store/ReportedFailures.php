<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Failure;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Psr\Log\LoggerInterface;

/**
 * What went wrong between a store and its servers: every failure is counted, the first of each kind and server is logged.
 *
 * @internal
 */
final class ReportedFailures
{
    /** @var array<string, true> by server and kind */
    private array $seen = [];

    public function __construct(
        private readonly ?LoggerInterface $log,
        private readonly Counters $counters = new NullCounters(),
    ) {}

    /** @param list<Failure> $failures */
    public function report(array $failures): void
    {
        $counts = [];
        foreach ($failures as $failure) {
            $name = 'memcached_' . strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $failure->kind->name)) . '_total';
            $counts[$name] = ($counts[$name] ?? 0) + 1;
            $first = $failure->kind->name . ' ' . $failure->server;
            if (!isset($this->seen[$first])) {
                $this->seen[$first] = true;
                $this->log?->warning('memcached: {failure}', ['failure' => $failure->message, 'server' => $failure->server, 'kind' => $failure->kind->name]);
            }
        }
        foreach ($counts as $name => $count) {
            $this->counters->add($name, $count);
        }
    }
}
