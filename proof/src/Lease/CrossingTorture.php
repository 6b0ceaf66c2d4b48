<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Closure;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Torture;
use Larder\Proof\UnguardedStore;
use Larder\Testbed\Process\Board;
use LogicException;

/** Processes that make values and need those of each other. They are forks of this process and share its segment. */
final class CrossingTorture implements Torture
{
    /** Seconds. A process that waits for itself waits for longer than that; where that is to be seen, it is short. */
    private const LEASE = 30.0;
    private const SHORT_LEASE = 3.0;

    /** Seconds until all processes of a shape have ended, and until all of them hold their leases. */
    private const PATIENCE = 150.0;
    private const GATHER = 30.0;

    /** Milliseconds of a call, as applications have it where the server is gone. */
    private const TIMEOUT = 5_000;

    /** Microseconds that the inner value takes, of a ring and of a star. */
    private const WORK = 100_000;
    private const LONG_WORK = 1_000_000;

    private const RINGS = [2, 3, 5];
    private const WAYS = ['remember()', 'rememberMultiple()', 'TaggedCache'];

    private const STORES = ['memory', 'memcached', ...StoreUnderTest::SAVED, 'tiers'];

    /** Where the host's own lease stands in, one makes it for those that asked before, and one for the others. */
    private const MOST_WITHOUT_SERVER = 2;

    public function about(): About
    {
        return new About(
            'crossing',
            'Lets processes that make values need those of each other, and counts who waits for itself',
            <<<'HELP'
            Example: <info>script/torture crossing --stores=memory</info>

            Each process holds the lease of a value and needs another one to make it. In a ring that is the value of the
            next process, and none may wait as long as a lease lasts. In a star all need one inner value, and in a chain
            its maker waits for one more: it is made once. All that is done on each store, and again after its server
            was killed. Without a server nobody may have what a process began to make before he asked, so a star needs
            two computes; and a client of the application's own has no lease of the host that would stand in.
            The exit code is 1 if anything else happened.
            HELP,
            [
                Option::number('processes', 'Processes of a star', 2, 200, 50),
                Option::several('stores', 'Stores to use', self::STORES),
                Option::guard(
                    'without',
                    'Take a guard away, to see that it is missed: marks (nobody says what it waits for)',
                    MissingGuard::Marks,
                ),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $missing = MissingGuard::from($run->text('without'));
        $lease = $missing === MissingGuard::None ? self::LEASE : self::SHORT_LEASE;
        $longest = 0.0;
        $lines = [];
        foreach ($run->words('stores') as $kind) {
            $directory = $run->directory(onDisk: true) . '/' . $kind;
            mkdir($directory);
            $store = new StoreUnderTest($kind, $directory, 'crossing', self::TIMEOUT);
            $run->atEnd($store->stop(...));
            $store->start();
            foreach ($kind === 'memory' ? [true] : [true, false] as $isUp) {
                if (!$isUp) {
                    $store->kill();
                }
                foreach ($this->shapes($run) as $name => [$needs, $way]) {
                    if ($missing !== MissingGuard::None && $run->findings()->count() > 0) {
                        break;
                    }
                    $where = $kind . ($isUp ? '' : ' without its server');
                    [$waited, $inner] = $this->play($run, $store, $where, $name, $needs, $way, $lease);
                    $lines[] = $line = \sprintf(
                        '%s: %s: waited %.1f s at most, inner computes %d',
                        $where,
                        $name,
                        $waited,
                        $inner,
                    );
                    $run->tell($line);
                    $longest = max($longest, $waited);
                    $most = match (true) {
                        str_starts_with($name, 'ring') => \count($needs),
                        $isUp => 1,
                        str_starts_with($kind, 'saved-with') => \count($needs),
                        default => self::MOST_WITHOUT_SERVER,
                    };
                    $run->check($inner >= 1 && $inner <= $most, "$where: $name: inner computes: $inner of $most");
                    $run->check($waited < $lease, \sprintf('%s: %s: waited %.1f s', $where, $name, $waited));
                }
            }
            $store->stop();
        }
        $findings = $run->findings()->all();

        return new Result(
            ['longest_wait_seconds' => round($longest, 1), 'shapes' => $lines, 'findings' => $findings],
            \sprintf('shapes: %d, longest wait %.1f s, wrong: %d', \count($lines), $longest, \count($findings)),
            $findings === [],
        );
    }

    /** @return array<string, array{list<string>, string}> by name: what each process needs, and how it asks */
    private function shapes(Run $run): array
    {
        $shapes = [];
        foreach (self::WAYS as $way) {
            foreach (self::RINGS as $count) {
                $next = array_map(static fn(int $i): string => 'key' . ($i + 1) % $count, range(0, $count - 1));
                $shapes["ring of $count by $way"] = [$next, $way];
            }
            $all = array_fill(0, $run->number('processes'), 'inner');
            $shapes["star by $way"] = [$all, $way];
            // The last process makes the inner value, and waits for one that all the others need not.
            $shapes["chain by $way"] = [[...$all, 'last'], $way];
        }

        return $shapes;
    }

    /**
     * @param list<string> $needs by the number of the process
     *
     * @return array{float, int} seconds that one of them waited at most, and how often what they need was made
     */
    private function play(
        Run $run,
        StoreUnderTest $store,
        string $where,
        string $name,
        array $needs,
        string $way,
        float $lease,
    ): array {
        $count = \count($needs);
        $isChain = str_starts_with($name, 'chain');
        $work = str_starts_with($name, 'ring') ? self::WORK : self::LONG_WORK;
        $board = Board::create(['inner' => 1, 'holding' => $count, 'waited' => $count]);
        $missing = MissingGuard::from($run->text('without'));
        $prefix = hash('xxh32', "$where $name") . '.';
        $pool = $run->pool(static function (int $number) use (
            $store,
            $needs,
            $way,
            $count,
            $isChain,
            $work,
            $board,
            $missing,
            $lease,
            $prefix,
        ): string {
            $opened = $store->open();
            $opened = $missing === MissingGuard::None ? $opened : new UnguardedStore($opened, $missing);
            $cache = new Cache($opened, settings: new Settings(lease: $lease, early: 0.0));
            $needed = static function () use ($cache, $way, $needs, $number, $board, $work, $prefix): string {
                $since = (int) hrtime(true);
                $make = static function () use ($board, $work): string {
                    $board->add('inner');
                    usleep($work);

                    return 'inner';
                };
                $value = self::ask($cache, $way, $prefix . $needs[$number], $make);
                $board->set('waited', (int) hrtime(true) - $since, $number);

                return $value;
            };

            $outer = static function () use ($board, $number, $count, $needed): string {
                $board->set('holding', 1, $number);
                self::await(static fn(): bool => $board->sum('holding') === $count);

                return $needed();
            };
            $mine = $isChain && $number === $count - 1 ? 'inner' : "key$number";

            return self::ask($cache, $way, $prefix . $mine, $outer);
        });
        $pool->fill($count);
        foreach ($pool->end(self::PATIENCE) as $end) {
            $run->check($end->result === 'inner', "$where: $name: a process " . $end->reason());
        }

        return [$board->max('waited') / 1e9, $board->sum('inner')];
    }

    /** @param Closure(): string $compute */
    private static function ask(Cache $cache, string $way, string $key, Closure $compute): string
    {
        $value = match ($way) {
            'remember()' => $cache->remember($key, $compute, 600.0),
            // Another process may make the second one.
            'rememberMultiple()' => $cache->rememberMultiple(
                [$key, $key . '.too'],
                static fn(array $keys): array
                    => array_fill_keys($keys, \in_array($key, $keys, true) ? $compute() : 'none'),
                600.0,
            )[$key],
            default => (new TaggedCache($cache, 600.0))->get($key, $compute),
        };

        return \is_string($value) ? $value : throw new LogicException('a value that nobody made');
    }

    /** @param Closure(): bool $done */
    private static function await(Closure $done): void
    {
        for ($end = microtime(true) + self::GATHER; !$done(); usleep(1_000)) {
            if (microtime(true) > $end) {
                throw new LogicException('not all processes hold their leases');
            }
        }
    }
}
