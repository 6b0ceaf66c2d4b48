<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Cache;
use Larder\Dependency\Gates;
use RuntimeException;

/** What a store with some values in it grows by, when very many names are changed that nobody reads. */
final readonly class Growth
{
    private const VALUES = 5_000;
    private const FEW = 1_000;

    /** Processes that change at once. */
    private const WRITERS = 2;

    public function __construct(private Shelf $shelf) {}

    /**
     * @param int $changes each of another name
     *
     * @return array{few: int, many: int} bytes in the store after few changes, and after all of them
     */
    public function run(int $changes): array
    {
        $this->do(function (): void {
            $store = $this->shelf->open(0);
            $store->clear();
            $cache = new Cache($store, new Gates($store));
            for ($i = 0; $i < self::VALUES; ++$i) {
                $cache->remember("value $i", static fn(): string => str_repeat('x', 1000), reads: ["name $i"]);
            }
        });
        $this->change(0, self::FEW);
        $few = $this->shelf->bytes();
        $this->change(self::FEW, $changes);

        return ['few' => $few, 'many' => $this->shelf->bytes()];
    }

    private function change(int $from, int $to): void
    {
        $works = [];
        for ($writer = 0; $writer < self::WRITERS; ++$writer) {
            $works[] = function () use ($from, $to, $writer): void {
                $store = $this->shelf->open(0);
                $gates = new Gates($store);
                for ($i = $from + $writer; $i < $to; $i += self::WRITERS) {
                    $gates->change(["changed $i"], static fn(): bool => true);
                }
            };
        }
        $this->do(...$works);
    }

    /** In processes of their own, whose connections end with them. */
    private function do(callable ...$works): void
    {
        $children = [];
        foreach ($works as $work) {
            $child = pcntl_fork();
            if ($child === 0) {
                $work();
                posix_kill((int) getmypid(), SIGKILL);
            }
            $children[] = $child;
        }
        foreach ($children as $child) {
            pcntl_waitpid($child, $status);
            if (!\is_int($status) || !pcntl_wifsignaled($status)) {
                throw new RuntimeException('A process that changes has failed.');
            }
        }
    }
}
