<?php

declare(strict_types=1);

namespace Larder\Proof\Modules;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\ServedPage;
use Larder\Proof\Torture;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Memcached;
use RuntimeException;

/**
 * A real php-fpm with Larder's module memcached or memcache, asked without a pause by a client for each worker.
 *
 * Persistent connections are what may pile up, so they are counted at the servers.
 */
final class ModulesTorture implements Torture
{
    private const WORKERS = 4;
    private const SERVERS = 2;

    /** Kilobytes by which a worker may still grow then: the heap of a request that was larger than all before. */
    private const GROWTH = 256;

    public function about(): About
    {
        return new About(
            'modules',
            'Keeps php-fpm busy with Larder\'s module memcached or memcache, and looks whether anything grows',
            <<<'HELP'
            Example: <info>script/torture modules --of=memcache --seconds=300</info>

            Four clients ask a php-fpm of four workers for rounds of all kinds of calls, on persistent connections to
            two memcacheds. Each client has keys of its own, so that every reply is known. The exit code is 1 if one was
            another, if a worker died or had grown by more than 256 KB since the first fifth of the time, or if a server
            has another number of connections than there are workers; and 2 if the run was too poor to show it.
            HELP,
            [
                Option::choice('of', 'The module', ['memcache'], 'memcached'),
                Option::seconds(5),
                Option::extension(),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $module = $run->text('of');
        $directory = $run->directory(onDisk: true);
        $servers = [];
        for ($number = 1; $number <= self::SERVERS; ++$number) {
            $servers[] = $server = new Memcached("$directory/memcached-$number");
            $run->atEnd($server->stop(...));
        }
        $file = \dirname(Extension::at($run->extension())->file) . "/$module.so";
        if (!is_file($file)) {
            throw new RuntimeException("There is no $file; tools/extension build makes it.");
        }
        $addresses = array_map(static fn(Memcached $server): string => $server->endpoint()->address(), $servers);
        $page = ServedPage::start(
            $run,
            $directory . '/fpm',
            ModulesPage::class,
            self::WORKERS,
            [['extension', $file]],
            ['TORTURE_MODULE' => $module, 'TORTURE_SERVERS' => implode(',', $addresses)],
            [$module],
        );
        $board = Board::create(['requests' => self::WORKERS]);
        $findings = $run->findings();
        [$early, $late] = $page->beBusy(
            static function (int $number) use ($page, $board, $findings): void {
                $round = $board->add('requests', index: $number);
                $said = $page->client((int) ServedPage::PATIENCE)->get("client=$number&round=$round");
                if ($said !== 'ok') {
                    $findings->add("client $number, round $round: " . ($said ?? 'no whole reply'));
                }
            },
            static fn(): string => \sprintf('%d failures, %d requests', $findings->count(), $board->sum('requests')),
        );
        $connections = array_map(static fn(Memcached $server): int => $server->connections(), $servers);

        return self::result($board->sum('requests'), $early, $late, $connections, $findings->all(), $run->seconds());
    }

    /**
     * @param array<int, int> $early       kilobytes of each worker
     * @param array<int, int> $late
     * @param list<int>       $connections of each server
     * @param list<string>    $findings
     */
    public static function result(
        int $requests,
        array $early,
        array $late,
        array $connections,
        array $findings,
        float $seconds,
    ): Result {
        $growth = ServedPage::growth($early, $late);
        $isFlat = array_unique($connections) === [self::WORKERS];

        return new Result(
            [
                'failures' => \count($findings),
                'requests' => $requests,
                ...$growth,
                'workers' => \count($early),
                'connections' => array_map(strval(...), $connections),
                'findings' => $findings,
            ],
            \sprintf(
                'failures: %d of %d requests, growth: %d KB a worker, connections of each server: %s for %d workers',
                \count($findings),
                $requests,
                $growth['growth_kb'],
                implode(', ', $connections),
                self::WORKERS,
            ),
            $findings === [] && $growth['growth_kb'] <= self::GROWTH && $isFlat,
            $requests >= 10 * $seconds,
            'Too few requests.',
        );
    }
}
