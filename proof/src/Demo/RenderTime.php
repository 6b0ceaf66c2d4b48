<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Page\Attribute\Reads;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Site\RunningSite;
use RuntimeException;

/** Whether a page hit costs the same however long the page took to make. It is its own controller: it reads nothing. */
#[Reads]
final readonly class RenderTime
{
    private const CONNECTIONS = 50;

    public static function site(string $directory): Site
    {
        $registry = new Registry();

        return new Site(
            name: 'render-time',
            hosts: ['localhost', '127.0.0.1'],
            pages: $directory . '/pages',
            list: $directory . '/release.php',
            controllers: [self::class],
            connect: static fn(): RecordingPdo => new RecordingPdo('sqlite:' . $directory . '/site.sqlite', $registry),
        );
    }

    /**
     * @param list<int> $milliseconds that pages take to make; the first is what the others are compared with
     *
     * @return array<int, array{made: float, rate: float, ratio: Median}> by milliseconds; made: seconds that the first
     *     request took
     */
    public function measure(string $directory, array $milliseconds, int $rounds, float $seconds): array
    {
        $site = self::site($directory);
        Pages::of($site)->connect()->exec('PRAGMA journal_mode = WAL');
        Pages::of($site)->deploy('measure');
        $running = RunningSite::start(
            $site,
            $directory,
            __DIR__ . '/render-time.php',
            environment: ['MEASURE_DIRECTORY' => $directory],
            writable: [$directory],
        );
        try {
            $connection = new Connection('127.0.0.1:' . $running->port);
            $made = [];
            foreach ($milliseconds as $time) {
                $before = microtime(true);
                $connection->request('/slow/' . $time);
                $made[$time] = microtime(true) - $before;
                if ($connection->request('/slow/' . $time)?->header('Cache-Status') !== 'larder; hit') {
                    throw new RuntimeException("/slow/$time is no page hit.");
                }
            }
            $runs = [];
            for ($round = 0; $round < $rounds; ++$round) {
                foreach ($round % 2 === 0 ? $milliseconds : array_reverse($milliseconds) as $time) {
                    $runs[$time][] = (new Wrk($directory))->flood(
                        $running->url . '/slow/' . $time,
                        self::CONNECTIONS,
                        $seconds,
                    )->requestRate();
                }
            }
        } finally {
            $running->stop();
        }
        $first = $runs[$milliseconds[0]] ?? [];

        return array_combine($milliseconds, array_map(static fn(int $time): array => [
            'made' => $made[$time],
            'rate' => Median::of($runs[$time] ?? [])->value,
            'ratio' => Median::of(
                array_map(static fn(float $one, float $other): float => $one / $other, $runs[$time] ?? [], $first),
            ),
        ], $milliseconds));
    }
}
