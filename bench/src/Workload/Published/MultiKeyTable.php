<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\WorkerResult;
use Larder\Bench\Workload\Workers;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/**
 * B9 in the source's layout: keys per second (seconds), a row for each client and a column for each test, in three
 * blocks.
 *
 * "-" means that the client cannot do the test or that its extension is not loaded, "failed" that the test broke off,
 * "WRONG" that a reply was not right. The other tests go on: each has its own process, which ends when it takes too
 * long.
 */
final readonly class MultiKeyTable implements PublishedRun
{
    /**
     * It is short so that 50 keys fit into one datagram, as the source's do. pecl-memcache sends longer ones, too, and
     * then asks again for ever.
     */
    private const PREFIX = 'b9:';

    /**
     * @param non-empty-array<string, Definition> $clients by the caption of their row: "TCP (1 server)"
     * @param int<1, max>                         $keys    per iteration
     * @param float                               $patience seconds that a test may take
     */
    public function __construct(
        private array $clients,
        private int $iterations = 1000,
        private int $keys = 50,
        private float $patience = 120.0,
    ) {}

    public function name(): string
    {
        return 'many-keys';
    }

    public function run(Closure $endpoints, string $directory, Closure $progress): Published
    {
        $begin = microtime(true);
        $cells = $errors = [];
        foreach ($this->clients as $caption => $definition) {
            $progress(\sprintf('%s: %s', $this->name(), $caption));
            foreach (array_merge(...MultiKeyWork::BLOCKS) as $test) {
                try {
                    $cells[$caption][$test] = $this->cell($definition, $test, $endpoints, $directory);
                } catch (Throwable $thrown) {
                    $cells[$caption][$test] = $thrown instanceof WrongReply ? 'WRONG' : 'failed';
                    $errors[$caption] ??= \sprintf('%s, %s: %s', $caption, $test, $thrown->getMessage());
                }
            }
        }

        return new Published(
            $this->name(),
            \sprintf(
                'B9: operations on %d keys at once and on single ones, %d iterations',
                $this->keys,
                $this->iterations,
            ),
            $this->text($cells, (int) round(microtime(true) - $begin)),
            $this->remark($errors),
        );
    }

    /** @param Closure(string, int): list<Endpoint> $endpoints */
    private function cell(Definition $definition, string $test, Closure $endpoints, string $directory): string
    {
        if (!$definition->can(MultiKeyWork::needs($test)) || $definition->missing() !== []) {
            return '-';
        }
        $servers = $definition->needs === Kind::None
            ? []
            : $endpoints($definition->needs->value, $definition->instances);
        $operations = $this->keys * $this->iterations;
        $worker = new Workers(1, function () use ($definition, $test, $servers, $directory, $operations): WorkerResult {
            $subject = ($definition->make)();
            $subject->connect(new Context($servers, $directory, prefix: self::PREFIX));
            $work = new MultiKeyWork($subject, $this->keys, self::PREFIX, $definition->isChecked());
            $seconds = $work->measure($test, $this->iterations);
            $subject->close();

            return new WorkerResult($seconds, $operations, 0, 0.0, 0.0, [], true, []);
        });
        try {
            $seconds = $worker->results($this->patience)[0]->seconds;
        } finally {
            $worker->end();
        }

        return \sprintf('%d (%.2fs)', round($operations / max($seconds, 1e-9)), $seconds);
    }

    /** @param array<string, array<string, string>> $cells */
    private function text(array $cells, int $seconds): string
    {
        $text = "Keys per second: more is better. In parentheses the seconds that the test took.\n\n";
        $servers = max(array_map(static fn(Definition $client): int => $client->instances, $this->clients));
        foreach ([
            'memcache.hash_strategy' => (string) \ini_get('memcache.hash_strategy'),
            'servers' => $servers,
            'iterations' => $this->iterations,
            'keys per iteration' => $this->keys,
        ] as $name => $value) {
            $text .= \sprintf("%-30s%s\n", $name . ':', $value);
        }
        $width = max(16, ...array_map(static fn(string $caption): int => \strlen($caption) + 1, array_keys($cells)));
        foreach (MultiKeyWork::BLOCKS as $block) {
            $text .= "\n"
                . self::line($width, '', $block);
            foreach ($cells as $caption => $row) {
                $text .= self::line(
                    $width,
                    $caption,
                    array_map(static fn(string $test): string => $row[$test], $block),
                );
            }
        }

        return $text . \sprintf("\ntotal time: %d minutes, %d seconds\n", intdiv($seconds, 60), $seconds % 60);
    }

    /** @param list<string> $cells */
    private static function line(int $width, string $caption, array $cells): string
    {
        return rtrim(
            str_pad($caption, $width)
                . implode('', array_map(static fn(string $cell): string => \sprintf('%-15s', $cell), $cells)),
        )
            . "\n";
    }

    /** @param array<string, string> $errors the first of each client */
    private function remark(array $errors): string
    {
        return 'One client after the other, one run each: rows are not comparable to a few per cent. Values of 0 to '
            . '49 KB make sets on loopback '
            . 'a matter of copying. All but the first Single-Del and Multi-Del find nothing to delete. Objects in '
            . 'multi-key calls are serialized by PHP, single ones by the client. '
            . 'A set that is lost before the last iteration is not noticed.'
            . ($errors === [] ? '' : ' First errors: ' . implode('; ', $errors) . '.');
    }
}
