<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\KeyValue;

/**
 * For 1, 2, 3 to 200 variables it sets and gets each of them, store after store, and notes the milliseconds; five
 * passes and their average. Or it only gets variables that were set before.
 *
 * The subjects of the columns must connect in each call, as the source does. Values are the numbers of the variables: a
 * reply under a wrong key is found. An old one is not, since every set writes the value that is there already.
 */
final readonly class SetGetTriangle implements PublishedRun
{
    private const PREFIX = 'b7:';

    /**
     * @param non-empty-array<string, Definition> $columns KeyValue subjects by the name of the column: file, mysql
     * @param bool                                $rotate  true: each pass begins with another store; the source has a
     *                                                     fixed order
     */
    public function __construct(
        private array $columns,
        private bool $getOnly = false,
        private bool $rotate = false,
        private int $limit = 200,
        private int $passes = 5,
    ) {}

    public function name(): string
    {
        return ($this->getOnly ? 'get-only' : 'set-get') . ($this->rotate ? '-rotated' : '');
    }

    public function run(Closure $endpoints, string $directory, Closure $progress): Published
    {
        $stores = [];
        $passes = [];
        try {
            foreach ($this->columns as $column => $definition) {
                $stores[$column] = self::store($definition, $endpoints, $directory);
            }
            for ($pass = 0; $pass < $this->passes; ++$pass) {
                $progress(\sprintf('%s: pass %d of %d', $this->name(), $pass + 1, $this->passes));
                $passes[] = $this->pass($stores, $pass);
            }
        } finally {
            foreach ($stores as $store) {
                $store->close();
            }
        }
        $columns = array_keys($this->columns);

        return new Published(
            $this->name(),
            $this->title(),
            self::csv($columns, $passes),
            $this->remark(self::summary($columns, $passes)),
        );
    }

    /**
     * The times as the source prints them: `runs;file;mysql;memcache`, and numbers as PHP's echo writes them. Every
     * pass and then their average, with an empty line between.
     *
     * @param non-empty-list<string>                 $columns
     * @param list<array<int, array<string, float>>> $passes  milliseconds by number of variables and column
     */
    public static function csv(array $columns, array $passes): string
    {
        return implode("\n", array_map(
            static fn(array $times): string => self::table($columns, $times),
            [...$passes, self::average($passes)],
        ));
    }

    /**
     * In words, the time of each column for a whole pass: the median of the passes, the least and the most.
     *
     * @param non-empty-list<string>                 $columns
     * @param list<array<int, array<string, float>>> $passes  milliseconds by number of variables and column
     */
    public static function summary(array $columns, array $passes): string
    {
        $parts = $medians = [];
        foreach ($columns as $column) {
            $sums = array_map(static fn(array $pass): float => array_sum(array_column($pass, $column)), $passes);
            sort($sums);
            $count = \count($sums);
            if ($count === 0) {
                continue;
            }
            $medians[$column] = ($sums[intdiv($count - 1, 2)] + $sums[intdiv($count, 2)]) / 2;
            $parts[] = \sprintf('%s %.1f (%.1f to %.1f)', $column, $medians[$column], $sums[0], $sums[$count - 1]);
        }
        asort($medians);

        return implode(', ', $parts)
            . (\count($medians) < 2 ? '' : \sprintf('; %s took least', array_key_first($medians)));
    }

    /**
     * @param array<string, KeyValue> $stores
     *
     * @return array<int, array<string, float>> milliseconds by number of variables and column
     */
    private function pass(array $stores, int $pass): array
    {
        if ($this->getOnly) {
            foreach ($stores as $store) {
                for ($x = 1; $x <= $this->limit; ++$x) {
                    $store->set(self::PREFIX . $x, (string) $x);
                }
            }
        }
        $first = $this->rotate ? $pass % \count($stores) : 0;
        $order = [...\array_slice($stores, $first), ...\array_slice($stores, 0, $first)];
        $times = [];
        for ($y = 1; $y <= $this->limit; ++$y) {
            foreach ($order as $column => $store) {
                $begin = hrtime(true);
                $this->variables($store, $column, $y);
                $times[$y][$column] = (hrtime(true) - $begin) / 1e6;
            }
        }

        return $times;
    }

    private function variables(KeyValue $store, string $column, int $count): void
    {
        for ($x = 1; $x <= $count; ++$x) {
            if (!$this->getOnly) {
                $store->set(self::PREFIX . $x, (string) $x);
            }
            $got = $store->get(self::PREFIX . $x);
            if ($got !== (string) $x) {
                throw new WrongReply(\sprintf('%s: variable %d came back as %s', $column, $x, var_export($got, true)));
            }
        }
    }

    /** @param Closure(string, int): list<\Larder\Testbed\Server\Endpoint> $endpoints */
    private static function store(Definition $definition, Closure $endpoints, string $directory): KeyValue
    {
        $subject = ($definition->make)();
        if (!$subject instanceof KeyValue) {
            throw Failed::connecting($definition->id, 'it has no keys and values');
        }
        $servers = $definition->needs === Kind::None
            ? []
            : $endpoints($definition->needs->value, $definition->instances);
        $subject->connect(new Context($servers, $directory, prefix: self::PREFIX));

        return $subject;
    }

    private function title(): string
    {
        return \sprintf(
            '%s 1 to %d variables, a connection per call, %d passes and their average%s',
            $this->getOnly ? 'B8: get of' : 'B7: set and get of',
            $this->limit,
            $this->passes,
            $this->rotate ? ', the order of the stores rotated' : '',
        );
    }

    private function remark(string $summary): string
    {
        return \sprintf(
            'Milliseconds. The passes one after the other, then their average. The columns are %s; files need no '
                . 'connection and are in the page cache. '
            . '%s Values are 1 to 3 bytes and the same in every pass, so a stale one would not be noticed. Whole '
            . 'passes, median (least to most): %s.',
            implode(
                ', ',
                array_map(
                    static fn(string $column, Definition $definition): string => $column . ': ' . $definition->title,
                    array_keys($this->columns),
                    $this->columns,
                ),
            ),
            $this->rotate ? 'Each pass begins with another store.' : 'The stores always come in this order.',
            $summary,
        );
    }

    /**
     * @param list<array<int, array<string, float>>> $passes
     *
     * @return array<int, array<string, float>>
     */
    private static function average(array $passes): array
    {
        $average = [];
        foreach ($passes as $pass) {
            foreach ($pass as $runs => $times) {
                foreach ($times as $column => $time) {
                    $average[$runs][$column] = ($average[$runs][$column] ?? 0.0) + $time / \count($passes);
                }
            }
        }

        return $average;
    }

    /**
     * @param non-empty-list<string>           $columns
     * @param array<int, array<string, float>> $times
     */
    private static function table(array $columns, array $times): string
    {
        $text = implode(';', ['runs', ...$columns]) . "\n";
        foreach ($times as $runs => $row) {
            $cells = array_map(static fn(string $column): string => \sprintf('%.14G', $row[$column]), $columns);
            $text .= implode(';', [(string) $runs, ...$cells]) . "\n";
        }

        return $text;
    }
}
