<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\RequiredExtension;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\Torture;
use RuntimeException;

/** Changes very many names that nobody reads, and looks what a store with some values in it grows by. */
final readonly class GrowthTorture implements Torture
{
    /** Per cent that a store may grow by. */
    private const MOST = 1.0;

    private const VALUES = 5_000;
    private const FEW = 1_000;

    /** Processes that change at once. */
    private const WRITERS = 2;

    /** Seconds that these may take. */
    private const PATIENCE = 86_400.0;

    /** Milliseconds of a call. */
    private const TIMEOUT = 2_000;

    public function about(): About
    {
        return new About(
            'growth',
            'Changes very many names, and looks how much the store has grown',
            <<<'HELP'
            Example: <info>script/torture growth --changes=1000000 --stores=memory</info>

            The exit code is 1 if a store holds more than one per cent more than after the first 1,000 changes.
            HELP,
            [
                Option::number('changes', 'Changes, each of another name', 2_000, 100_000_000, 1_000_000),
                Option::several('stores', 'Stores to look at', StoreUnderTest::KINDS),
                Option::extension(),
            ],
            RequiredExtension::Loaded,
        );
    }

    public function run(Run $run): Result
    {
        $changes = $run->number('changes');
        $figures = [];
        $worst = 0.0;
        foreach ($run->words('stores') as $kind) {
            mkdir($run->directory(onDisk: true) . '/' . $kind);
            $store = new StoreUnderTest($kind, $run->directory() . '/' . $kind, 'values', self::TIMEOUT);
            $run->atEnd($store->stop(...));
            $store->start();
            [$few, $many] = $this->grow($run, $store, $changes);
            $run->stop();
            $growth = 100.0 * ($many - $few) / $few;
            $worst = max($worst, $growth);
            $figures += [
                $kind . '_bytes_after_1000' => $few,
                $kind . '_bytes_after_all' => $many,
                $kind . '_growth_percent' => round($growth, 4),
            ];
        }
        $line = \sprintf('growth: at most %.3f %% after %d changes', $worst, $changes);

        return new Result($figures, $line, $worst <= self::MOST);
    }

    /** @return array{int, int} bytes in the store after few changes, and after all of them */
    private function grow(Run $run, StoreUnderTest $store, int $changes): array
    {
        $this->inProcesses($run, 1, static function () use ($store): void {
            $opened = $store->open();
            $opened->clear();
            $cache = new Cache($opened, new Gates($opened, inTransaction: static fn(): bool => false));
            for ($i = 0; $i < self::VALUES; ++$i) {
                $cache->remember("value $i", static fn(): string => str_repeat('x', 1000), reads: ["name $i"]);
            }
        });
        $this->change($run, $store, 0, self::FEW);
        $few = $store->bytes();
        $this->change($run, $store, self::FEW, $changes);

        return [$few, $store->bytes()];
    }

    private function change(Run $run, StoreUnderTest $store, int $from, int $to): void
    {
        $this->inProcesses($run, self::WRITERS, static function (int $writer) use ($store, $from, $to): void {
            $gates = new Gates($store->open());
            for ($i = $from + $writer; $i < $to; $i += self::WRITERS) {
                $gates->change(["changed $i"], static fn(): bool => true);
            }
        });
    }

    /** @param Closure(int): void $work in processes of their own, so that their connections end with them */
    private function inProcesses(Run $run, int $count, Closure $work): void
    {
        $pool = $run->pool(static fn(int $number) => $work($number));
        $pool->fill($count);
        foreach ($pool->end(self::PATIENCE) as $end) {
            if (!$end->finished) {
                throw new RuntimeException('A process that changes ' . $end->reason());
            }
        }
    }
}
