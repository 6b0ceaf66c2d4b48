<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Result\Role;
use Larder\Bench\Result\Sheet;
use Larder\Bench\Statistics\Histogram;

/** What the fixture's run was made on and with. */
final readonly class FixtureParts
{
    public const PAGES = ['page-static', 'page-hit', 'page-echo', 'page-uncached'];
    public const ENCODERS = ['php', 'igbinary', 'msgpack', 'json', 'igbinary+zlib'];
    public const ROWS = [
        'noop', 'mariadb', 'mariadb-prepared', 'mariadb-handler', 'handlersocket', 'memcached', 'phpredis',
    ];

    public const LIMITS = [
        'Load and servers shared 2 cores: clients and servers fought for them.',
        'Closed loop, unless a chart says "open loop": throughput is told, not the wait of somebody who arrives '
            . 'meanwhile.',
        'All connections stayed on this host; no network is in these figures.',
        'Windows of 0.25 s: intervals are wide on purpose.',
    ];

    private const RATES = [
        'page-static' => 21_000.0, 'page-hit' => 17_200.0, 'page-echo' => 5_300.0, 'page-uncached' => 1_450.0,
        'php' => 96_000.0,
        'igbinary' => 104_000.0,
        'msgpack' => 101_500.0,
        'json' => 88_000.0,
        'igbinary+zlib' => 21_000.0,
        'mariadb' => 8_900.0,
        'mariadb-prepared' => 11_800.0,
        'mariadb-handler' => 12_100.0,
        'handlersocket' => 24_500.0,
    ];

    public static function rate(string $subject): float
    {
        return self::RATES[$subject] ?? 10_000.0;
    }

    public static function bytes(string $encoder): float
    {
        return [
            'php' => 30_280.0,
            'igbinary' => 12_682.0,
            'msgpack' => 17_410.0,
            'json' => 21_900.0,
            'igbinary+zlib' => 3_120.0,
        ][$encoder]
            ?? 1.0;
    }

    public static function latency(float $microseconds, int $samples): Histogram
    {
        $histogram = new Histogram();
        for ($sample = 0; $sample < 500; ++$sample) {
            $share = ($sample + 0.5) / 500;
            $tail = $share > 0.99 ? 6.0 * ($share - 0.99) * 100 : 0.0;
            $histogram->record(
                (int) (1000 * $microseconds * (0.82 + 0.3 * $share ** 2 + $tail)),
                max(1, intdiv($samples, 500)),
            );
        }

        return $histogram;
    }

    /**
     * @param array<string, array{float, string, Role}> $subjects
     *
     * @return list<Sheet>
     */
    public static function sheets(array $subjects): array
    {
        $sheets = [];
        foreach ($subjects as $id => [, $title, $role]) {
            $terms = match (true) {
                str_starts_with($id, 'memcache') => [
                    'persistent' => 'yes',
                    'protocol' => str_contains($id, 'binary') ? 'binary' : 'ascii',
                    'TCP_NODELAY' => 'on',
                    'compression' => 'none',
                    'serializer' => 'php',
                    'time-outs' => '1 s',
                ],
                str_contains($id, 'redis') || $id === 'predis' => [
                    'persistent' => 'yes',
                    'protocol' => 'RESP2',
                    'TCP_NODELAY' => 'on',
                    'serializer' => 'none',
                    'time-outs' => '1 s',
                ],
                default => [],
            };
            $sheets[] = new Sheet($id, $title, $role, $terms);
        }
        foreach (self::PAGES as $id) {
            $sheets[] = new Sheet(
                $id,
                'nginx: ' . substr($id, 5),
                $id === 'page-static' ? Role::Ceiling : ($id === 'page-echo' ? Role::Floor : Role::Contender),
                ['keep-alive' => 'on'],
            );
        }
        foreach ([...self::ENCODERS, ...\array_slice(self::ROWS, 1, 4)] as $id) {
            $sheets[] = new Sheet(
                $id,
                'the <' . $id . '> way',
                Role::Contender,
                ['compression' => str_contains($id, '+') ? 'zlib' : 'none'],
            );
        }

        return $sheets;
    }

    /** @return array<string, mixed> */
    public static function environment(string $php = '8.2.29'): array
    {
        return [
            'machine' => [
                'cpu' => 'Some CPU & Co. @ 2.80GHz',
                'cores' => 2,
                'memory, MB' => 24_046,
                'flags' => ['aes', 'avx2'],
                'virtual' => 'yes',
                'kernel' => 'Linux 6.1.0 x86_64',
            ],
            'load' => [
                'average before' => '0.08 0.03 0.01',
                'average after' => '1.92 1.41 0.63',
                'stolen by the host, %' => 0.42,
                'came from' => 'the same host',
            ],
            'php' => ['version' => $php, 'thread safe' => 'no'],
            'extensions' => ['memcached' => '3.2.0', 'redis' => '5.3.7', 'igbinary' => '3.2.13'],
            'ini' => ['opcache.enable' => '1'],
            'servers' => [
                'memcached' => ['version' => '1.6.18', 'command' => 'memcached -m 256 -c 1024 -t 2 -l 127.0.0.1 -p 0'],
                'redis' => ['version' => '7.0.15', 'command' => "redis-server --save '' --appendonly no --port 0"],
            ],
            'project' => ['commit' => str_repeat('0123456789', 4), 'changed since' => 'no'],
        ];
    }
}
