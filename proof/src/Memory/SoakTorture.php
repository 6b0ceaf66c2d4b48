<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\ServedPage;
use Larder\Proof\Torture;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Server\Account;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testbed\Value\SealedValue;

/**
 * A real php-fpm on a named segment that is always full, asked without a pause by a few clients.
 *
 * Each client writes keys of its own and remembers what was acknowledged, so a get must give exactly that, or nothing
 * once it was evicted. The memory of each worker is measured when a fifth of the time is over, and at the end.
 */
final class SoakTorture implements Torture
{
    private const WORKERS = 4;
    private const KEYS = 3000;
    private const NAME = 'soak';
    private const SEGMENT = '16M';

    /** A key that no client writes, and a generation that is an int. */
    private const MARK = [4000, 5];

    /** Kilobytes by which a worker may still grow then. */
    private const GROWTH = 2048;

    public function about(): About
    {
        return new About(
            'soak',
            'Keeps php-fpm busy on a full segment, and looks whether its workers grow',
            <<<'HELP'
            Example: <info>script/torture soak --seconds=300</info>

            Four clients ask a php-fpm of four workers to set, get and delete. Each reply must be whole, and each value
            the one that was acknowledged last, or gone. The exit code is 1 if anything was not, if a worker died, if
            one had grown by more than 2 MB since the first fifth of the time, or if a command-line PHP does not see the
            same segment; and 2 if the run was too poor to show it.
            HELP,
            [Option::seconds(5), Option::extension()],
        );
    }

    public function run(Run $run): Result
    {
        $extension = Extension::at($run->extension());
        $directory = $run->directory(onDisk: true);
        $segments = new TemporaryDirectory('larder-soak');
        $run->atEnd($segments->remove(...));
        chmod($segments->path, 0o700);
        Account::ableToReach(__FILE__)->own($segments->path);
        $page = ServedPage::start($run, $directory . '/fpm', SoakPage::class, self::WORKERS, [
            ['extension', $extension->file],
            ['larder.name', self::NAME],
            ['larder.directory', $segments->path],
            ['larder.size', self::SEGMENT],
            ['larder.namespace', self::NAME],
        ]);
        $board = Board::create([SoakCount::class => self::WORKERS]);
        $keys = intdiv(self::KEYS, self::WORKERS);
        $clients = array_map(
            static fn(int $number): SoakClient
                => new SoakClient($page->client(), $board, $number, $run->findings(), $number * $keys, $keys),
            range(0, self::WORKERS - 1),
        );
        [$early, $late] = $page->beBusy(
            static fn(int $number) => $clients[$number]->ask(),
            static fn(): string => \sprintf(
                '%d failures, %d requests, %d gets (%d hits), %d writes (%d refused)',
                $run->findings()->count(),
                ...array_map($board->sum(...), SoakCount::cases()),
            ),
        );
        $info = self::seen($extension, $segments->path, $page->client(), $run->findings());

        return self::result($board, $early, $late, $info, $run->findings()->all(), $run->seconds());
    }

    /**
     * @param array<int, int>         $early    kilobytes of each worker
     * @param array<int, int>         $late
     * @param array<array-key, mixed> $info     of the store, as another process sees it
     * @param list<string>            $findings
     */
    public static function result(
        Board $board,
        array $early,
        array $late,
        array $info,
        array $findings,
        float $seconds,
    ): Result {
        $number = static fn(string $name): int => \is_int($info[$name] ?? null) ? $info[$name] : 0;
        $growth = ServedPage::growth($early, $late);
        $sums = Result::sums($board, SoakCount::cases());
        $requests = $sums['requests'];
        $failures = \count($findings);

        return new Result(
            [
                'failures' => $failures,
                ...$sums,
                ...$growth,
                'entries' => $number('entries'),
                'bytes_used' => $number('bytesUsed'),
                'bytes_total' => $number('bytesTotal'),
                'evictions' => $number('evictions'),
                'recoveries' => $number('recoveries'),
                'findings' => $findings,
            ],
            \sprintf('failures: %d of %d requests, growth: %d KB a worker', $failures, $requests, $growth['growth_kb']),
            $failures === 0 && $growth['growth_kb'] <= self::GROWTH,
            // Without an eviction the segment was never full.
            $requests >= 20 * $seconds && $number('evictions') > 0,
            'Too few requests, or the segment was never full.',
        );
    }

    /**
     * Looks from the command line for a mark that php-fpm has set under the segment's name.
     *
     * @return array<array-key, mixed> the store's figures
     */
    private static function seen(Extension $extension, string $segments, FastCgi $server, Findings $findings): array
    {
        [$key, $generation] = self::MARK;
        $server->get("set=$key.$generation");
        $mark = self::larder($extension, $segments, 'memory:get', "soak:$key");
        if (($mark['value'] ?? null) !== (new SealedValue($key, $generation))->number()) {
            $shown = json_encode($mark, JSON_PARTIAL_OUTPUT_ON_ERROR);
            $findings->add("the command line does not find what php-fpm has set: $shown");
        }

        return self::larder($extension, $segments, 'memory:info');
    }

    /** @return array<array-key, mixed> */
    private static function larder(Extension $extension, string $segments, string ...$arguments): array
    {
        $command = [
            ...$extension->php([]),
            \dirname(__DIR__, 3) . '/vendor/bin/larder',
            ...array_values($arguments),
            '--name=' . self::NAME,
            '--directory=' . $segments,
            '--namespace=' . self::NAME,
            '--format=json',
        ];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines);
        $answer = json_decode(implode("\n", $lines), true);

        return \is_array($answer) ? $answer : ['said' => implode("\n", $lines)];
    }
}
