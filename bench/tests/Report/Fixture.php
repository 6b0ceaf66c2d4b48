<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Random\Engine\Mt19937;
use Random\Randomizer;

/** A run with all that a run can hold: made up, always the same, and hostile where a text comes from outside. */
final class Fixture
{
    /** What an error text may try to do to a page. */
    public const HOSTILE = "unexpected </script><b onmouseover=\"alert(1)\">reply</b> & 'more' \u{1b}[31m|";

    /** @var array<string, array{float, string, Role}> rate of one worker, title, role */
    private const SUBJECTS = [
        'noop' => [9_400_000.0, 'nothing at all', Role::Floor],
        'array' => [4_100_000.0, 'a PHP array', Role::Floor],
        'apcu' => [1_650_000.0, 'APCu', Role::Contender],
        'file' => [61_000.0, 'a file each, renamed into place', Role::Contender],
        'sqlite' => [31_000.0, 'SQLite, prepared', Role::Contender],
        'memcached-tuned' => [27_400.0, 'ext-memcached, tuned', Role::Contender],
        'memcached' => [24_100.0, 'ext-memcached', Role::Contender],
        'memcached-binary' => [22_900.0, 'ext-memcached, binary protocol', Role::Contender],
        'memcache' => [23_900.0, 'pecl-memcache', Role::Contender],
        'phpredis-unix' => [31_500.0, 'phpredis over a unix socket', Role::Contender],
        'phpredis' => [23_600.0, 'phpredis', Role::Contender],
        'phpredis@2' => [24_900.0, 'phpredis, 2 servers', Role::Contender],
        'predis' => [7_100.0, 'Predis', Role::Contender],
        'memcached#2' => [24_100.0, 'ext-memcached (the same again)', Role::Twin],
    ];

    private Randomizer $random;

    private function __construct()
    {
        $this->random = new Randomizer(new Mt19937(7));
    }

    public static function document(): Document
    {
        return (new self())->build();
    }

    /** The same, ended by Ctrl-C after some charts. */
    public static function interrupted(): Document
    {
        $all = self::document();

        return new Document(
            $all->command,
            $all->profile,
            $all->started,
            41.0,
            false,
            $all->environment,
            $all->limits,
            $all->subjects,
            \array_slice($all->charts, 0, 3),
        );
    }

    /** Another run on the same machine, with one subject slower by a share. */
    public static function slowed(Document $document, string $subject, float $share): Document
    {
        $charts = array_map(static fn(
            Chart $chart,
        ): Chart => self::with(
            $chart,
            array_map(static fn(Cell $cell): Cell => $cell->subject !== $subject ? $cell : new Cell(
                $cell->subject,
                $cell->state,
                $cell->error,
                $cell->flags,
                array_map(
                    static fn(Window $window): Window => self::window(
                        $window->block,
                        $window->position,
                        $window->rate() * (1.0 - $share),
                        \count($window->workers),
                        200.0,
                    ),
                    $cell->windows,
                ),
                $cell->latency,
                $cell->extra,
            ), $chart->cells),
        ), $document->charts);

        return new Document(
            $document->command,
            $document->profile,
            $document->started,
            $document->seconds,
            true,
            $document->environment,
            $document->limits,
            $document->subjects,
            $charts,
            $document->published,
        );
    }

    /** @param list<Cell> $cells */
    public static function with(Chart $chart, array $cells): Chart
    {
        return new Chart(
            $chart->id,
            $chart->test,
            $chart->title,
            $chart->work,
            $chart->unit,
            $chart->parameters,
            $cells,
            $chart->placement,
            $chart->looks,
        );
    }

    /** @param list<Chart> $charts */
    public static function of(array $charts, bool $complete = true): Document
    {
        return new Document(
            'larder-bench run',
            'quick',
            '2025-11-21T09:00:00+00:00',
            12.0,
            $complete,
            FixtureParts::environment(),
            [],
            FixtureParts::sheets(self::SUBJECTS),
            $charts,
        );
    }

    /**
     * A cell with one window a rate.
     *
     * @param list<float> $rates
     */
    public static function cell(string $subject, array $rates, int $workers = 1, float $cpu = 40.0): Cell
    {
        $windows = [];
        foreach ($rates as $block => $rate) {
            $windows[] = self::window($block, 0, $rate, $workers, $cpu);
        }

        return new Cell(
            $subject,
            CellState::Measured,
            null,
            [],
            $windows,
            FixtureParts::latency(1e6 / max(1.0, $rates[0] ?? 1.0), 2000),
        );
    }

    /**
     * @param list<Cell>                           $cells
     * @param array<string, bool|float|int|string> $parameters
     */
    public static function chart(string $test, array $cells, array $parameters = []): Chart
    {
        return new Chart(
            $test . ($parameters === [] ? '' : '?' . http_build_query($parameters)),
            $test,
            $test,
            'one set and one get',
            'operations',
            $parameters,
            $cells,
        );
    }

    private static function window(
        int $block,
        int $position,
        float $rate,
        int $workers,
        float $cpu,
        int $errors = 0,
        ?float $offered = null,
    ): Window {
        $seconds = 0.25;
        $operations = (int) round($rate * $seconds);
        $each = intdiv($operations, $workers);
        $slices = array_map(
            static fn(int $slice): int => (int) ($operations / 8 * (1 - 0.01 * ($slice % 3))),
            range(1, 8),
        );

        return new Window(
            $block,
            $position,
            $seconds,
            $operations,
            $errors,
            $operations * 432,
            $cpu * $operations,
            $cpu * $operations * 0.6,
            [...array_fill(0, $workers - 1, $each), $operations - $each * ($workers - 1)],
            $slices,
            $block !== 4,
            $offered,
        );
    }

    private function build(): Document
    {
        $charts = [
            $this->made(
                'keys',
                'B1 keys: set, then get',
                ['size' => 400, 'workers' => 2, 'check' => 'A/A'],
                ['memcached', 'memcached#2'],
                24,
            ),
        ];
        foreach ([1, 2, 4, 8] as $workers) {
            $charts[] = $this->keys($workers);
        }
        $charts[] = $this->large();
        foreach ([1, 2, 5, 10, 50, 200] as $batch) {
            $charts[] = $this->made(
                'multiple_keys',
                'B9 many keys: one call for a batch',
                ['batch' => $batch, 'workers' => 1],
                ['noop', 'memcached', 'memcache', 'phpredis', 'predis'],
                10,
                $batch / (1 + 0.055 * $batch),
                'keys',
            );
        }
        foreach ([1, 10, 50] as $connections) {
            $charts[] = $this->made(
                'page',
                'B5 pages through nginx',
                ['size' => 10_000, 'connections' => $connections],
                FixtureParts::PAGES,
                10,
                1 - 0.5 / $connections,
                'requests',
            );
        }
        foreach (['rows', 'small array', 'object graph', 'repeated <strings>'] as $index => $shape) {
            $charts[] = $this->made(
                'serializers',
                'B2 serializers: encode, then decode',
                ['shape' => $shape],
                FixtureParts::ENCODERS,
                10,
                1.0 / (1 + $index),
                'values',
                true,
            );
        }
        $charts[] = $this->made(
            'pairs',
            'B6 25,000 pairs: random reads',
            ['workers' => 2, 'reads' => '95/5'],
            FixtureParts::ROWS,
            10,
            1.6,
            'pairs',
        );
        $charts[] = $this->open();

        return new Document(
            "larder-bench run --profile=full --tests=keys:keys_large:multiple_keys:page:serializers:pairs:overload",
            'full',
            '2025-11-21T09:00:00+00:00',
            1874.3,
            true,
            FixtureParts::environment(),
            FixtureParts::LIMITS,
            FixtureParts::sheets(self::SUBJECTS),
            $charts,
            [
                new Published(
                    'set-get',
                    'File, MySQL and memcached, 1 to 200 pairs a connection',
                    "runs;file;mysql;memcache\n1;0.11;0.42;0.19\n2;0.13;0.61;0.22\n",
                    'A connection per call: most of it is the connection. <i>Not</i> a comparison of stores.',
                ),
            ],
        );
    }

    private function keys(int $workers): Chart
    {
        $subjects = array_keys(self::SUBJECTS);
        $chart = $this->made(
            'keys',
            'B1 keys: set, then get',
            ['size' => 400, 'workers' => $workers],
            $subjects,
            10,
            [1 => 1.0, 2 => 1.38, 4 => 1.33, 8 => 1.24][$workers] ?? 1.0,
        );
        $cells = array_map(static fn(Cell $cell): Cell => match (true) {
            $workers === 8 && $cell->subject === 'predis' => new Cell(
                'predis',
                CellState::Failed,
                self::HOSTILE,
                [],
                \array_slice($cell->windows, 0, 3),
                new Histogram(),
            ),
            $workers === 8 && $cell->subject === 'memcache' => new Cell(
                'memcache',
                CellState::Measured,
                'connection refused',
                ['bandwidth-bound'],
                array_map(
                    static fn(Window $window): Window => self::window(
                        $window->block,
                        $window->position,
                        $window->rate(),
                        8,
                        190.0,
                        40,
                    ),
                    $cell->windows,
                ),
                $cell->latency,
            ),
            default => $cell,
        }, $chart->cells);
        $cells[] = new Cell(
            'handlersocket',
            CellState::Absent,
            'the plug-in is not installed',
            [],
            [],
            new Histogram(),
        );

        return self::with($chart, $cells);
    }

    private function large(): Chart
    {
        $chart = $this->made(
            'keys_large',
            'B1 keys_large: one object of 328 KB',
            ['workers' => 2],
            ['noop', 'memcached', 'phpredis', 'predis', 'file', 'memcache'],
            10,
            0.02,
        );
        $cells = array_map(
            static fn(Cell $cell): Cell => $cell->subject !== 'memcache'
                ? $cell
                : new Cell(
                    'memcache',
                    CellState::Wrong,
                    'key:3 answered with the value of key:1',
                    [],
                    [],
                    new Histogram(),
                ),
            $chart->cells,
        );

        return self::with(
            $chart,
            [
                ...$cells,
                new Cell('sqlite', CellState::Failed, "database is locked\nSQLSTATE[HY000]", [], [], new Histogram()),
            ],
        );
    }

    private function open(): Chart
    {
        $chart = $this->made(
            'overload',
            'Overload: twice what the fastest can do',
            ['offered' => 60_000],
            ['memcached', 'phpredis', 'predis'],
            10,
            1.5,
        );

        return self::with(
            $chart,
            array_map(
                static fn(Cell $cell): Cell => new Cell(
                    $cell->subject,
                    $cell->state,
                    null,
                    $cell->flags,
                    array_map(
                        static fn(Window $window): Window => self::window(
                            $window->block,
                            $window->position,
                            $window->rate(),
                            4,
                            44.0,
                            $cell->subject === 'predis' ? 300 : 0,
                            $cell->subject === 'predis' ? 60_000.0 : $window->rate() * 1.01,
                        ),
                        $cell->windows,
                    ),
                    $cell->latency,
                    ['time to recover, s' => 0.41],
                ),
                $chart->cells,
            ),
        );
    }

    /**
     * @param array<string, bool|float|int|string> $parameters
     * @param list<string>                         $subjects
     */
    private function made(
        string $test,
        string $title,
        array $parameters,
        array $subjects,
        int $blocks,
        float $factor = 1.0,
        string $unit = 'operations',
        bool $bytes = false,
    ): Chart {
        $workers = \is_int($parameters['workers'] ?? null) ? $parameters['workers'] : 1;
        $moods = array_map(fn(): float => 1.0 + $this->random->getInt(-60, 60) / 1000, range(1, $blocks));
        $cells = [];
        foreach ($subjects as $place => $subject) {
            $base = $factor * (self::SUBJECTS[$subject][0] ?? FixtureParts::rate($subject));
            $windows = [];
            for ($block = 0; $block < $blocks; ++$block) {
                $rate = $base * $moods[$block] * (1.0 + $this->random->getInt(-12, 12) / 1000);
                $windows[] = self::window(
                    $block,
                    ($place + $block) % \count($subjects),
                    $rate,
                    max(1, $workers),
                    $workers * 0.6e6 / $rate,
                );
            }
            $extra = $bytes
                ? ['bytes' => FixtureParts::bytes($subject), 'encode us' => 4e5 / $base, 'decode us' => 5e5 / $base]
                : [];
            $replies = array_sum(array_map(static fn(Window $window): int => $window->operations, $windows));
            $flags = $place % 4 === 3 ? ['unsteady in 1 of ' . $blocks . ' windows'] : [];
            $coverage = match (true) {
                (self::SUBJECTS[$subject][2] ?? Role::Contender) === Role::Floor => Coverage::none($replies),
                $test === 'multiple_keys' => new Coverage(
                    $replies,
                    intdiv($replies, 64),
                    'the last round of each step',
                ),
                default => Coverage::every($replies),
            };
            $latency = FixtureParts::latency(1e6 * $workers / $base, 1000 * $blocks);
            $latencyOf = \is_int($parameters['batch'] ?? null) ? (float) $parameters['batch'] : 1.0;
            $cells[] = new Cell(
                $subject,
                CellState::Measured,
                null,
                $flags,
                $windows,
                $latency,
                $extra,
                $coverage,
                $latencyOf,
            );
        }

        return new Chart(
            $test . '?' . http_build_query($parameters),
            $test,
            $title,
            'one set and one get of a value of 400 bytes',
            $unit,
            $parameters,
            $cells,
            'client and server together on processor 1',
        );
    }
}
