<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Requests;

use Larder\Bench\Result\CellState;
use Larder\Bench\Server\Kind;
use Larder\Bench\Server\MadeSite;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Tests\Run\BenchRun;
use Larder\Bench\Workload\Http\StoredPages;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Requests\RequestCosts;
use Larder\Bench\Workload\Requests\RequestSubjects;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** All subjects of the sites that the bench makes, on real servers, and the program with some of them. */
#[CoversClass(MadeSite::class)]
#[CoversClass(RequestSubjects::class)]
#[CoversClass(StoredPages::class)]
final class RunTest extends TestCase
{
    /** @return iterable<string, array{string, Kind}> */
    public static function databases(): iterable
    {
        yield 'SQLite, pages in files' => ['sqlite', Kind::FilesSite];
        yield 'MariaDB, pages in memcached' => ['mariadb', Kind::MariaDbSite];
        yield 'PostgreSQL, pages in memcached' => ['postgresql', Kind::PostgreSqlSite];
    }

    #[DataProvider('databases')]
    public function testEachSubjectIsMeasuredAndSaysWhatItDoes(string $database, Kind $kind): void
    {
        $directory = new TemporaryDirectory('lr');
        chmod($directory->path, 0o755);
        $site = new MadeSite($directory->path . '/site', $kind);
        try {
            $measured = static fn(Workload $workload, Definition $of, int $size = 0): Measured => $workload->measure(
                new Job('t', $of->id, ['size' => $size], 0.05, 0, 1, [$site->endpoint()], $directory->path, 'b:', 0.05),
                $of,
            );
            $costs = $calls = [];
            foreach (RequestSubjects::subjects() as $subject) {
                if ($subject->needs === $kind && str_starts_with($subject->id, $database)) {
                    $cost = $measured(new RequestCosts(), $subject);
                    self::assertTrue($cost->coverage?->isEvery());
                    self::assertSame($database !== 'sqlite', isset($cost->extra["us of the processor, database"]));
                    $costs[substr($subject->id, \strlen($database) + 1)] = $cost->extra;
                    $call = $measured(new RequestCosts(true), $subject);
                    $calls[substr($subject->id, \strlen($database) + 1)] = $call->extra;
                }
            }
            foreach (StoredPages::subjects() as $subject) {
                foreach ($subject->needs === $kind ? [2, 50] : [] as $size) {
                    $stored = $measured(new StoredPages(), $subject, $size);
                    self::assertSame(0.0, $stored->extra['requests to PHP']);
                    self::assertSame($database !== 'sqlite', isset($stored->extra['connections of memcached, after']));
                }
            }
        } finally {
            $site->stop();
            $directory->remove();
        }
        self::assertSame(array_keys($costs), array_keys($calls));
        $classes = array_map(static fn(array $of): float => $of["classes of Larder"] ?? -1.0, $costs);
        self::assertSame(0.0, $classes['plain'] ?? null);
        self::assertGreaterThan(0.0, $classes['bypass'] ?? 0.0);
        self::assertGreaterThan($classes['bypass'] ?? 0.0, $classes['miss'] ?? 0.0);
        self::assertGreaterThan($classes['miss'] ?? 0.0, $classes['preloaded'] ?? 0.0);
        foreach ($calls as $of) {
            $named = [];
            foreach ($of as $name => $count) {
                $named = str_starts_with($name, 'calls of ') ? [...$named, $count] : $named;
            }
            self::assertSame($of['system calls'], array_sum($named));
            self::assertSame(1.0, $of['calls of accept'] ?? null);
        }
        $call = static fn(string $kind, string $what): float => $calls[$kind][$what] ?? self::fail("$kind: no $what");
        self::assertGreaterThan($call('plain', 'system calls'), $call('miss', 'system calls'));
        self::assertSame(0.0, $call('plain', 'sends to memcached'));
        if ($database === 'sqlite') {
            self::assertSame(0.0, $call('miss', 'sends to the database'));

            return;
        }
        self::assertGreaterThan(0.0, $call('plain', 'sends to the database'));
        self::assertGreaterThan($call('plain', 'sends to the database'), $call('kept', 'sends to the database'));
        self::assertGreaterThan(0.0, $call('first', 'sends to memcached'));
        // The second connection was opened by an earlier request.
        self::assertSame($call('miss', 'connections opened') - 1, $call('kept', 'connections opened'));
    }

    public function testTheProgramMeasuresThem(): void
    {
        $expected = [
            'stored_pages?size=2' => ['stored-plain', 'stored-files'],
            'stored_parts?parts=0' => ['parts-static', 'parts-files', 'parts-memcached'],
            'request_costs_sqlite' => ['sqlite-plain', 'sqlite-miss'],
            'request_calls_sqlite' => ['sqlite-plain', 'sqlite-miss'],
            'change_costs?pages=0' => ['change-plain', 'change-told'],
            'edge_costs?placement=floating&workers=1' => ['edge-none', 'edge-1'],
        ];
        $tests = array_map(static fn(string $chart): string => explode('?', $chart)[0], array_keys($expected));
        $bench = new BenchRun();
        try {
            $process = $bench->run([
                '--tests=' . implode(':', $tests),
                '--clients=' . implode(':', array_merge(...array_values($expected))),
                '--blocks=6',
                '--window=0.05',
            ]);
            self::assertSame(0, $process->getExitCode(), $process->getOutput() . $process->getErrorOutput());
            foreach ($expected as $chart => $subjects) {
                foreach ($subjects as $subject) {
                    $cell = $bench->document()->chart($chart)?->cell($subject);
                    self::assertSame(CellState::Measured, $cell?->state, "$chart $subject");
                    self::assertTrue($cell->coverage?->isEvery(), "$chart $subject");
                }
            }
        } finally {
            $bench->remove();
        }
    }
}
