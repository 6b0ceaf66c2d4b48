<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Requests;

use Larder\Bench\Result\CellState;
use Larder\Bench\Server\MadeSite;
use Larder\Bench\Server\PurgedVarnish;
use Larder\Bench\Tests\Run\BenchRun;
use Larder\Bench\Workload\Http\StoredPages;
use Larder\Bench\Workload\Requests\RequestTable;
use Larder\Bench\Workload\Test;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** One run of all tests of the site that the bench makes, on real servers. */
#[CoversClass(MadeSite::class)]
#[CoversClass(PurgedVarnish::class)]
#[CoversClass(RequestTable::class)]
#[CoversClass(StoredPages::class)]
final class RunTest extends TestCase
{
    public function testEveryCellIsMeasuredAndEveryReplyWasChecked(): void
    {
        $tests = [...StoredPages::tests(), ...RequestTable::tests()];
        $bench = new BenchRun();
        try {
            $process = $bench->run([
                '--tests=' . implode(':', array_map(static fn(Test $test): string => $test->name, $tests)),
                '--blocks=6',
                '--window=0.05',
            ]);
            self::assertSame(0, $process->getExitCode(), $process->getOutput() . $process->getErrorOutput());
            $cells = [];
            foreach ($bench->document()->charts as $chart) {
                foreach ($chart->cells as $cell) {
                    self::assertSame(CellState::Measured, $cell->state, "$chart->id $cell->subject: $cell->error");
                    self::assertTrue($cell->coverage?->isEvery(), "$chart->id $cell->subject");
                    $cells[$chart->test][$cell->subject] = $cell;
                }
            }
        } finally {
            $bench->remove();
        }
        foreach ($tests as $test) {
            self::assertSame([], array_diff($test->subjects, array_keys($cells[$test->name] ?? [])), $test->name);
        }
        $figure = static fn(string $test, string $subject, string $name): float => ($cells[$test][$subject] ?? null)
            ?->extra[$name] ?? self::fail("$test has no figure \"$name\" of $subject");

        foreach (['sqlite', 'mariadb', 'postgresql'] as $database) {
            $classes = static fn(string $kind): float
                => $figure("request_costs_$database", "$database-$kind", "classes of Larder's");
            self::assertSame(0.0, $classes('plain'));
            self::assertGreaterThan(0.0, $classes('bypass'));
            self::assertGreaterThan($classes('bypass'), $classes('miss'));
            self::assertGreaterThan($classes('miss'), $classes('preloaded'));
            $calls = static fn(string $kind, string $what): float
                => $figure("request_calls_$database", "$database-$kind", $what);
            self::assertGreaterThan($calls('bypass', 'system calls'), $calls('miss', 'system calls'));
            self::assertSame(1.0, $calls('miss', 'calls of accept'));
            if ($database !== 'sqlite') {
                self::assertGreaterThan($calls('plain', 'sends to the database'), $calls('miss', 'sends to the database'));
                self::assertSame(0.0, $calls('plain', 'sends to memcached'));
                self::assertGreaterThan(0.0, $calls('first', 'sends to memcached'));
                // The second connection was opened by an earlier request.
                self::assertSame($calls('miss', 'connections opened') - 1, $calls('kept', 'connections opened'));
                self::assertGreaterThan($calls('plain', 'sends to the database'), $calls('kept', 'sends to the database'));
            }
        }
        foreach (['stored-memcached', 'stored-files'] as $subject) {
            self::assertSame(0.0, $figure('stored_pages', $subject, 'requests to PHP'));
        }
        self::assertGreaterThan(0.0, $figure('stored_pages', 'stored-memcached', 'connections of memcached, before'));
        self::assertSame(0.0, $figure('edge_costs', 'edge-none', 'us of it the purge, median'));
        self::assertGreaterThan(0.0, $figure('edge_costs', 'edge-3', 'us of it the purge, median'));
    }
}
