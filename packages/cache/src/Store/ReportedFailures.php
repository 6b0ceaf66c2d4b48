<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Failure;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;

/**
 * What went wrong between a store and its servers, or with what lies there: every failure is counted, the first of each
 * kind and server in a minute is logged.
 *
 * @internal
 */
final class ReportedFailures
{
    /** How a server that does not answer shows itself, by turns: one cause for a log that keeps causes apart. */
    private const SILENT = ['Down', 'Unreachable', 'TimedOut', 'Closed', 'OutOfStep'];

    /** Nanoseconds between two lines of a kind and server: a worker that never ends must not say it only once. */
    private const BETWEEN = 60_000_000_000;

    /** @var array<string, int> when it was logged, by server and kind; monotonic nanoseconds */
    private array $logged = [];

    /** @param 'memcached'|'redis'|'shared_memory'|'array' $servers */
    public function __construct(
        private readonly ?LoggerInterface $log,
        private readonly Counters $counters = new NullCounters(),
        private readonly string $servers = 'memcached',
    ) {}

    /** @param list<Failure> $failures */
    public function report(array $failures): void
    {
        $counts = [];
        foreach ($failures as $failure) {
            $counts[$failure->kind->name] = ($counts[$failure->kind->name] ?? 0) + 1;
            $this->log($failure->kind->name, $failure->server, $failure->message);
        }
        foreach ($counts as $kind => $count) {
            $this->count($kind, $count);
        }
    }

    /** @param string $kind as in Larder\FailureKind, which is there only with the extension */
    public function add(string $kind, string $server, string $message): void
    {
        $this->log($kind, $server, $server . ': ' . $message);
        $this->count($kind);
    }

    /** A value that is there and gives none. */
    public function unreadable(string $key, string $server, StoredBytes $read): void
    {
        $kind = $read->flaw ?? 'Unreadable';
        $name = addcslashes($key, "\0..\37\177");
        $this->log($kind, $server, \sprintf('"%s": %s %s', $name, $server, $read->sentence()));
        $this->count($kind);
    }

    public function count(string $kind, int $by = 1): void
    {
        $this->counters->add('larder_store_failures_total', $by, [
            'store' => $this->servers,
            'cause' => strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $kind)),
        ]);
    }

    private function log(string $kind, string $server, string $message): void
    {
        $line = $kind . ' ' . $server;
        $now = (int) hrtime(true);
        if (!isset($this->logged[$line]) || $now - $this->logged[$line] >= self::BETWEEN) {
            $this->logged[$line] = $now;
            ($this->log ?? new SparingLogger())->warning(
                $this->servers . ': {failure}',
                [
                    'failure' => $message,
                    'server' => $server,
                    'kind' => $kind,
                    'cause' => "$this->servers $server " . (\in_array($kind, self::SILENT, true) ? '' : $kind),
                ],
            );
        }
    }
}
