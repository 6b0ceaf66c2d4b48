<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Proof\About;
use Larder\Proof\HasWorkers;
use Larder\Proof\IdleClock;
use Larder\Proof\Option;
use Larder\Proof\Plan;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\ServedPage;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Memcached;

/**
 * Three real memcacheds, a faulty proxy before each, some workers and a php-fpm, all on the same keys.
 *
 * The process of the program only watches them, and another looks at the clock only, to see how long the machine stops
 * by itself.
 */
final class ClientTorture implements HasWorkers
{
    private const NAME = 'client';

    private const SERVERS = 3;

    /** A part of the time after which a process has all the memory that it needs; seconds at most. */
    private const WARM = [0.3, 30.0];

    /** Kilobytes and descriptors by which a process may still grow then. */
    private const GROWTH = 3072;
    private const DESCRIPTORS = 2;

    /** Nanoseconds before the end at which memory is measured again, while all still work. */
    private const LAST_LOOK = 200_000_000;

    /** Seconds in which some page is surely aborted: few are, and a shorter run may have none. */
    private const ABORTS = 10;

    /** Nanoseconds after which a call that is still under way hangs. */
    private const HUNG = 2_000_000_000;

    /** Nanoseconds of a stop of the idle process from which the machine has stood still. */
    private const STOOD = 4_000_000;

    /** Seconds that the workers may take to end, and the last check. */
    private const PATIENCE = [10.0, 60.0];

    public function about(): About
    {
        return new About(
            self::NAME,
            'Uses memcached through proxies that spoil, cut and hold back, and counts wrong values',
            <<<'HELP'
            Example: <info>script/torture client --seconds=300</info>

            Workers and a php-fpm make random calls of every method on one pool of three memcacheds. A proxy before each
            delays, splits, cuts and holds back, and repeats, drops, swaps and corrupts replies. Workers are killed, and
            pages run out of memory and of time. Every value carries its key, its generation and a checksum, and every
            counter must lie between what was acknowledged and what was begun. The last line says how many were wrong
            and how many calls went on after their deadline. The exit code is 1 if any, or if a process grew, and 2 if
            the run was too poor to show anything.
            HELP,
            [
                Option::seconds(2),
                Option::number('workers', 'Processes at once, beside one php-fpm worker', 2, 10, 4),
                Option::seed(),
                Option::extension(),
                Option::flag('no-opaque-check', 'Take each reply for that to the oldest request, to see that the check '
                    . 'finds'
                    . ' it; needs the debug build'),
            ],
        );
    }

    /**
     * @param int $workers with php-fpm's
     *
     * @return array<string, int> of the board
     */
    public static function series(int $workers): array
    {
        $places = (new ClientKeys($workers))->places();

        return [
            // When to stop, in nanoseconds; 0: the run has not begun.
            'end' => 1,
            // Whether the workers can begin.
            'ready' => 1,
            // The longest stop that the idle process saw, in nanoseconds.
            'idle' => 1,
            'begun' => $places,
            'acknowledged' => $places,
            ClientCount::class => $workers,
            Fault::class => self::SERVERS,
        ];
    }

    public function run(Run $run): Result
    {
        $isUnchecked = $run->has('no-opaque-check');
        $extension = Extension::at($run->extension(), $isUnchecked);
        $environment = $isUnchecked ? ['LARDER_NO_OPAQUE' => '1'] : [];
        [$count, $seed, $directory] = [$run->number('workers'), $run->seed(), $run->directory(onDisk: true)];
        $board = Board::share(self::series($count + 1));
        $run->atEnd($board->remove(...));
        $lateness = new Lateness($directory);
        $plan = new Plan($board->id, $count + 1, $seed, $directory, self::startServers($run, $board));
        IdleClock::watch($run, $board, static function (int $from, int $until) use ($lateness): void {
            if ($until - $from > self::STOOD) {
                $lateness->stood($from, $until);
            }
        });
        // With one worker, so that requests that follow each other meet the same pool. Errors are expected and go to a
        // file that is not read.
        $page = ServedPage::start(
            $run,
            $directory . '/fpm',
            ClientPage::class,
            1,
            [['extension', $extension->file]],
            $environment + ['TORTURE_DIRECTORY' => $directory],
            ini: ['error_log' => '/dev/null'],
            account: Account::of('root'),
        );
        $growth = new ProcessGrowth($board, $page->php);
        $log = $directory . '/workers.log';
        $start = function (int $count) use ($run, $plan, $extension, $environment, $log): Daemon {
            $words = $plan->command(self::NAME, $extension, ['memory_limit' => '256M'], (string) $count);

            return $run->daemon('the workers', $words, $environment, $log);
        };
        // What the workers print; nothing is expected.
        $said = static fn(): string => trim((string) @file_get_contents($log));
        $workers = $start($count);
        $workers->awaitReady(static fn(): bool => $board->get('ready') === 1, $log);
        $began = (int) hrtime(true);
        $end = $run->begin();
        $board->set('end', $end);
        $findings = $run->findings();
        $pages = $run->pool(static function () use ($page, $board, $count, $findings, $end): void {
            $client = new PageClient($page->client(), $board, $count, $findings);
            while (hrtime(true) < $end && hrtime(true) < $board->get('end')) {
                $client->ask();
            }
        }, $seed);
        $pages->fill(1);
        $line = static fn(): string => self::line($board, $findings->count());
        $look = static function (bool $isInTime) use ($run, $board, $lateness, $workers, $end, $said): bool {
            $hung = $isInTime ? $run->overdue($board, ClientCount::CallBegan, self::HUNG) : [];
            foreach ($hung as $worker => $since) {
                $lateness->called("still under way in worker $worker", $since, (int) hrtime(true), self::HUNG);
            }
            $isGone = !$workers->isRunning() && hrtime(true) < $end;
            $run->check(!$isGone, $isGone ? 'the workers are gone: ' . $said() : '');

            return !$isGone;
        };
        $run->watch($began + (int) (1e9 * min(self::WARM[0] * $run->seconds(), self::WARM[1])), $line, $look);
        $growth->lookEarly();
        $run->watch($end - self::LAST_LOOK, $line, $look);
        $growth->lookLate();
        $run->watch($end, $line, $look);
        $board->set('end', min($end, (int) hrtime(true)));
        $run->finish($pages, self::PATIENCE[0], 'the client of php-fpm');
        $run->await(static fn(): bool => !$workers->isRunning(), self::PATIENCE[0], 'the workers do not end');
        $check = $start(0);
        $run->await(static fn(): bool => !$check->isRunning(), self::PATIENCE[1], 'the last check does not end');
        foreach ($growth->lost() as $name) {
            $findings->add("the $name that is never killed did not live all the time");
        }
        $run->check($said() === '', 'the workers say: ' . $said());

        return self::result($board, $growth->seen(), $lateness->tooLong(), $findings->all(), $run->seconds());
    }

    /** @param list<string> $arguments number of workers; 0: only the last check */
    public function work(Plan $plan, array $arguments): void
    {
        $count = (int) ($arguments[0] ?? 0);
        $workers = new WorkerGroup($plan, $count);
        $count === 0 ? $workers->checkAll() : $workers->run();
    }

    /**
     * @param array<string, array{early: array{int, int}, late: array{int, int}}> $processes kilobytes and descriptors
     * @param list<string> $late     calls that went on for too long
     * @param list<string> $findings
     */
    public static function result(Board $board, array $processes, array $late, array $findings, float $seconds): Result
    {
        $faults = $grown = [];
        $hasGrown = false;
        foreach (Fault::cases() as $fault) {
            $faults['fault_' . Result::named($fault->name)] = $board->sum($fault);
        }
        foreach ($processes as $name => ['early' => [$memory, $files], 'late' => [$memoryLate, $filesLate]]) {
            $name = strtr($name, '-', '_');
            $grown += ["{$name}_kb_early" => $memory, "{$name}_kb_late" => $memoryLate];
            $grown += ["{$name}_descriptors_early" => $files, "{$name}_descriptors_late" => $filesLate];
            $isLarge = $memoryLate - $memory > self::GROWTH || $filesLate - $files > self::DESCRIPTORS;
            $hasGrown = $hasGrown || $isLarge;
        }
        $sums = Result::sums($board, [
            ClientCount::Requests, ClientCount::KeysRead, ClientCount::Hits, ClientCount::Writes, ClientCount::Done,
            ClientCount::Unknown, ClientCount::Refused, ClientCount::Kills,
        ]);
        $aborts = $board->sum(ClientCount::PagesAborted);
        [$wrong, $hung] = [\count($findings), \count($late)];

        return new Result(
            [
                'wrong' => $wrong,
                'hung' => $hung,
                ...$sums,
                'pages' => $board->get(ClientCount::Lives, $board->count(ClientCount::Lives) - 1),
                'pages_aborted' => $aborts,
                'faults' => array_sum($faults),
                ...$faults,
                'slowest_over_deadline_ms' => round($board->max(ClientCount::Late) / 1e6, 1),
                'idle_gap_ms' => round($board->get('idle') / 1e6, 1),
                ...$grown,
                'calls_too_long' => $late,
                'findings' => $findings,
            ],
            \sprintf(
                'wrong: %d, hung: %d of %d requests, %d faults',
                $wrong,
                $hung,
                $sums['requests'],
                array_sum($faults),
            ),
            $wrong + $hung === 0 && !$hasGrown,
            min($sums['requests'], $sums['hits']) >= 500 * $seconds && $sums['kills'] >= $seconds
                && min($sums['unknown'], ...array_values($faults)) > 0 && \count($processes) > 1
                && ($aborts > 0 || $seconds < self::ABORTS),
            'Too few requests, hits, kills or faults to show anything.',
        );
    }

    /** @return list<string> addresses of the proxies before the servers */
    private static function startServers(Run $run, Board $board): array
    {
        $proxies = [];
        for ($i = 0; $i < self::SERVERS; ++$i) {
            $server = new Memcached($run->directory() . "/server-$i", socket: true, threads: 1);
            $run->atEnd($server->stop(...));
            $proxy = new Proxy('unix://' . $server->endpoint()->socket, new FaultyTraffic($board, $i));
            $run->pool(static fn() => $proxy->serve(), $run->seed() + 77 * $i)->fill(1);
            $proxies[] = "127.0.0.1:$proxy->port";
            $proxy->close();
        }

        return $proxies;
    }

    private static function line(Board $board, int $wrong): string
    {
        return \sprintf(
            '%d wrong, %d requests, %d hits, %d writes (%d unknown, %d refused), %d kills, %d pages aborted, %d faults,'
                . ' %.0f ms late (idle %.0f ms)',
            $wrong,
            ...array_map($board->sum(...), [
                ClientCount::Requests, ClientCount::Hits, ClientCount::Writes, ClientCount::Unknown,
                ClientCount::Refused, ClientCount::Kills, ClientCount::PagesAborted,
            ]),
            ...[
                array_sum(array_map($board->sum(...), Fault::cases())),
                $board->max(ClientCount::Late) / 1e6,
                $board->get('idle') / 1e6,
            ],
        );
    }
}
