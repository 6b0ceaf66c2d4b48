<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Result\CellState;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** What the bench makes of clients and servers that fail: runs of the program against a real memcached. */
#[CoversNothing]
final class FaultsTest extends TestCase
{
    private BenchRun $run;

    protected function setUp(): void
    {
        $this->run = new BenchRun();
    }

    protected function tearDown(): void
    {
        $this->run->remove();
    }

    public function testGivesNoNumberToAClientThatAnswersWrongly(): void
    {
        $faults = ['faulty-other-key', 'faulty-truncated', 'faulty-old-generation', 'faulty-drops-sets'];
        $process = $this->run->run([
            '--tests=keys',
            '--clients=memcached:' . implode(':', $faults),
            '--blocks=6',
            '--window=0.1',
        ]);
        $document = $this->run->document();

        self::assertSame(1, $process->getExitCode(), $process->getErrorOutput());
        $charts = array_values(
            array_filter(
                $document->charts,
                static fn(\Larder\Bench\Result\Chart $chart): bool => !isset($chart->parameters['check']),
            ),
        );
        self::assertNotSame([], $charts);
        foreach ($charts as $chart) {
            self::assertSame(CellState::Measured, $chart->cell('memcached')?->state);
            foreach ($faults as $fault) {
                $cell = $chart->cell($fault);
                self::assertSame(CellState::Wrong, $cell?->state, $fault . ': ' . $cell?->error);
                self::assertSame([], $cell->windows);
                self::assertNotNull($cell->error);
            }
        }
        self::assertStringContainsString('WRONG', $process->getOutput());
    }

    public function testGoesOnWithoutAServerThatDied(): void
    {
        $process = $this->run->start([
            '--tests=keys',
            '--clients=memcached:array:file',
            '--blocks=10',
            '--window=0.1',
            '--workers=1',
        ]);
        $killed = false;
        while ($process->isRunning()) {
            if (!$killed && str_contains($process->getIncrementalErrorOutput(), 'keys?workers=1')) {
                usleep(500_000);
                $killed = $this->killMemcachedBelow((int) $process->getPid());
            }
            usleep(20_000);
        }
        $document = $this->run->document();
        $chart = $document->chart('keys?workers=1');
        self::assertNotNull($chart);

        self::assertTrue($killed);
        self::assertSame(1, $process->getExitCode());
        self::assertSame(CellState::Failed, $chart->cell('memcached')?->state);
        self::assertNotNull($chart->cell('memcached')->error);
        self::assertSame(CellState::Measured, $chart->cell('array')?->state);
        self::assertCount(10, $chart->cell('array')->windows);
        self::assertCount(10, $chart->cell('file')->windows ?? []);
    }

    public function testLeavesAValidPartAndNoProcessAfterCtrlC(): void
    {
        $process = $this->run->start([
            '--tests=keys',
            '--clients=memcached:array',
            '--blocks=40',
            '--window=0.1',
            '--workers=1',
        ]);
        $pid = (int) $process->getPid();
        $errors = '';
        while ($process->isRunning() && !str_contains($errors, 'keys?workers=1')) {
            $errors .= $process->getIncrementalErrorOutput();
            usleep(20_000);
        }
        usleep(1_000_000);
        $family = $this->below($pid);
        $process->signal(SIGINT);
        $process->wait();

        self::assertSame(130, $process->getExitCode(), $errors);
        self::assertFalse($this->run->document()->complete);
        self::assertSame(0, $this->run->command(['verify', $this->run->file])->getExitCode());
        self::assertNotSame([], $family);
        $deadline = microtime(true) + 3;
        do {
            usleep(20_000);
            $left = array_values(array_filter($family, $this->lives(...)));
        } while ($left !== [] && microtime(true) < $deadline);
        self::assertSame([], $left);
    }

    /** What has ended and waits for somebody to ask how does not count. */
    private function lives(int $pid): bool
    {
        return preg_match('/^\d+ \(.*\) [^ZX]/s', (string) @file_get_contents("/proc/{$pid}/stat")) === 1;
    }

    private function killMemcachedBelow(int $pid): bool
    {
        foreach ($this->below($pid) as $child) {
            if (str_contains((string) @file_get_contents("/proc/{$child}/comm"), 'memcached')) {
                return posix_kill($child, SIGKILL);
            }
        }

        return false;
    }

    /** @return list<int> */
    private function below(int $pid): array
    {
        $family = [];
        foreach (array_filter(
            explode(' ', (string) @file_get_contents("/proc/{$pid}/task/{$pid}/children")),
            is_numeric(...),
        ) as $child) {
            array_push($family, (int) $child, ...$this->below((int) $child));
        }

        return $family;
    }
}
