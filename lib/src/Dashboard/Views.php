<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Follow\Status;
use Larder\Metrics\Series;
use Larder\Page\Pages;
use Larder\Page\PageServers;
use Larder\Page\RefusalCause;
use Larder\Page\Sample;
use Larder\Page\Site;
use Larder\Store;
use Larder\Store\KnowsServers;
use PDOException;
use Psr\Clock\ClockInterface;
use Psr\Log\NullLogger;
use Throwable;

/**
 * What the dashboard's page asks for: one method for each question.
 *
 * @internal
 */
final readonly class Views
{
    /** Pages that one search gives. */
    private const PAGES = 50;

    /** Names of one page that are told. */
    private const NAMES = 50;

    private const CHANGES = 50;

    /** Points of the charts of the past. */
    private const POINTS = 300;

    /** The largest pages. */
    private const LARGEST = 15;

    /** @param list<string> $followers directories of followers */
    public function __construct(private Site $site, private ClockInterface $clock, private array $followers) {}

    /** @return array<string, mixed>|null null: there is no such view */
    public function of(string $view, string $like): ?array
    {
        return match ($view) {
            'now' => $this->now(),
            'history' => ['samples' => Pages::of($this->site)->history()->samples(self::POINTS)],
            'slow' => $this->slow(),
            'refusals' => ['refusals' => $this->refusals($like)],
            'why' => (new Why($this->site, $this->ledger()))->of($like),
            'changes' => ['changes' => Pages::of($this->site)->changes()->recent(self::CHANGES, $like)],
            'memory' => $this->memory(),
            'servers' => ['servers' => $this->servers(), 'followers' => $this->followers()],
            'pages' => ['pages' => $this->pages($like)],
            'keys' => Values::of($this->store())->keys($like),
            default => null,
        };
    }

    /** @return SqlLedger|string why it cannot be opened */
    public function ledger(): SqlLedger|string
    {
        try {
            return Pages::of($this->site)->ledger();
        } catch (LarderException|PDOException $exception) {
            return $exception->getMessage();
        }
    }

    /** @return array<string, mixed> */
    private function now(): array
    {
        $ill = array_filter($this->followers(), static fn(array $follower): bool => $follower['well'] !== true);

        return Sample::of($this->site, $this->ledger(), $this->store())->values(null)
            + ['followers_down' => \count($ill)];
    }

    /** @return list<array<string, mixed>> what each tells of itself, and where */
    private function followers(): array
    {
        $now = (float) $this->clock->now()->format('U.u');

        return array_map(
            static fn(string $directory): array
                => ['directory' => $directory, 'readable' => is_readable($directory . '/status.json')]
                + Status::of($directory)->values($now),
            $this->followers,
        );
    }

    /** @return array<string, mixed> the renders of each route, and the slowest of a day */
    private function slow(): array
    {
        $routes = [];
        foreach (Pages::of($this->site)->counters()->all() as $series => $number) {
            [$name, $labels] = Series::parse($series);
            $part = str_starts_with($name, 'larder_page_render_duration_seconds_') ? substr($name, 36) : '';
            $route = $labels['route'] ?? '';
            if ($part === 'count' || $part === 'sum') {
                $routes[$route][$part] = $number;
            } elseif ($part === 'bucket') {
                $routes[$route]['buckets'][$labels['le'] ?? ''] = $number;
            }
        }
        $found = [];
        foreach ($routes as $route => $told) {
            $count = (int) ($told['count'] ?? 0);
            $found[] = [
                'route' => $route,
                'renders' => $count,
                'seconds' => $told['sum'] ?? 0,
                'mean' => $count === 0 ? 0 : ($told['sum'] ?? 0) / $count,
                'most_within' => self::most($told['buckets'] ?? [], $count),
            ];
        }
        usort($found, static fn(array $one, array $other): int => $other['seconds'] <=> $one['seconds']);

        return [
            'routes' => $found,
            'slowest' => Pages::of($this->site)->slowRenders()->slowest($this->clock->now()->getTimestamp()),
        ];
    }

    /**
     * @param array<array-key, int|float> $buckets by bound, each with the narrower ones
     *
     * @return string|null the bound within which 95 of 100 are, in seconds
     */
    private static function most(array $buckets, int $count): ?string
    {
        $wide = array_filter($buckets, static fn(int|float $number): bool => $number >= 0.95 * $count);
        unset($wide['+Inf']);

        return $wide === [] ? null : (string) min(array_map(floatval(...), array_keys($wide)));
    }

    /** @return list<array<string, mixed>> */
    private function refusals(string $like): array
    {
        $found = [];
        foreach (Pages::of($this->site)->refusals()->recent(PHP_INT_MAX) as $refusal) {
            if (\count($found) < self::PAGES && ($like === '' || str_contains($refusal['page'], $like))) {
                $cause = RefusalCause::of($refusal['reason']);
                $found[] = $refusal + ['cause' => $cause->value, 'remedy' => $cause->remedy()];
            }
        }

        return $found;
    }

    /** @return array<string, mixed> */
    private function memory(): array
    {
        $ledger = $this->ledger();
        $values = Values::of($this->store());
        $routes = $largest = [];
        $failure = \is_string($ledger) ? $ledger : null;
        try {
            $routes = \is_string($ledger) ? [] : $ledger->index()->routes();
            $largest = \is_string($ledger) ? [] : $ledger->index()->search('', self::LARGEST, true);
        } catch (LarderException|PDOException $exception) {
            $failure = $exception->getMessage();
        }

        return [
            'routes' => array_map(
                static fn(string $route, array $told): array => ['route' => $route] + $told,
                array_map(strval(...), array_keys($routes)),
                $routes,
            ),
            'limit' => $this->site->limits->bytes,
            'limit_of_route' => $this->site->limits->routeBytes(),
            'largest' => $largest,
            'ledger_error' => $failure,
            'segment' => $values->segment(),
            'values' => $values->groups(),
        ];
    }

    /** @return list<array<string, mixed>> the ledger first, then those of pages and of values */
    private function servers(): array
    {
        $ledger = $this->ledger();
        $failure = \is_string($ledger) ? $ledger : '';
        try {
            if (!\is_string($ledger)) {
                $ledger->state()->read();
            }
        } catch (LarderException|PDOException $exception) {
            $failure = $exception->getMessage();
        }
        $found = [['server' => 'database', 'use' => 'ledger', 'answers' => $failure === '', 'failure' => $failure]];
        foreach (PageServers::of($this->site)?->reports() ?? [] as $report) {
            $found[] = [
                'server' => $report->address,
                'use' => 'pages',
                'answers' => $report->failure === null,
                'failure' => (string) $report->failure,
                'version' => 'memcached ' . $report->version(),
                'seconds' => $report->number('uptime'),
            ] + $report->values();
        }
        $store = $this->store();
        $states = $store instanceof KnowsServers ? $store->servers() : [];
        foreach ($states as $server => $state) {
            $found[] = ['server' => $server, 'use' => 'values'] + $state->values();
        }
        if ($store !== null && $states === []) {
            $answers = $store->read("\0larder.dashboard")->answered;
            $found[] = [
                'server' => $store::class, 'use' => 'values', 'answers' => $answers,
                'failure' => $answers ? '' : 'it does not answer: larder doctor asks it why',
            ];
        }

        return $found;
    }

    /** @return list<array{key: string, controller: string, bytes: int, from: list<string>, more: int}> */
    private function pages(string $like): array
    {
        $ledger = $this->ledger();
        $found = [];
        try {
            foreach (\is_string($ledger) ? [] : $ledger->index()->search($like, self::PAGES) as $row) {
                $names = \is_string($ledger) ? [] : $ledger->index()->namesOf($row['page']);
                $found[] = [
                    'key' => $row['page'],
                    'controller' => $row['route'],
                    'bytes' => $row['bytes'],
                    'from' => \array_slice($names, 0, self::NAMES),
                    'more' => max(0, \count($names) - self::NAMES),
                ];
            }
        } catch (LarderException|PDOException) {
            return $found;
        }

        return $found;
    }

    private function store(): ?Store
    {
        try {
            return $this->site->operations->store === null ? null : ($this->site->operations->store)(new NullLogger());
        } catch (Throwable) {
            return null;
        }
    }
}
