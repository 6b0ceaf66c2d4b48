<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Stampede\ComputeLog;
use Larder\Bench\Workload\Stampede\Scenario;
use Larder\Bench\Workload\Stampede\Stampede;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/**
 * B3 as the proof of concept of 2013 ran it, but sixty times as fast. One key lives ten seconds, and from the fifth on
 * a process makes it anew. Its query takes 5 / 60 of a second and leaves a line in the log. 200 visitors read it, with
 * the protection and without.
 *
 * @phpstan-import-type Compute from ComputeLog
 */
final readonly class DatabaseHits implements PublishedRun
{
    /**
     * Lines of one second that are printed. The source prints thirteen in all; then its server could not keep up.
     */
    private const SHOWN = 9;

    /**
     * @param non-empty-array<string, Definition> $ways Remembering subjects by the word before "database hit" in the
     *     log
     */
    public function __construct(
        private array $ways,
        private int $visitors = 200,
        private float $life = 10.0,
        private float $compute = 5 / 60,
        private float $seconds = 16.5,
        private float $pace = 10.0,
    ) {}

    public function name(): string
    {
        return 'database-hits';
    }

    public function run(Closure $endpoints, string $directory, Closure $progress): Published
    {
        $scenario = new Scenario(
            new Freshness($this->life, $this->life / 2, 4 * $this->compute),
            $this->compute,
            $this->visitors,
            $this->pace,
            $this->seconds,
        );
        $texts = [];
        foreach ($this->ways as $word => $definition) {
            $progress(\sprintf('%s: %s', $this->name(), $definition->title));
            try {
                $texts[] = $this->log($word, $definition, $scenario, $endpoints, $directory);
            } catch (Throwable $thrown) {
                $texts[] = \sprintf("%s: failed: %s\n", $definition->title, $thrown->getMessage());
            }
        }

        return new Published(
            $this->name(),
            \sprintf('B3: the database hits of %d concurrent visitors, time scaled 1:60', $this->visitors),
            implode("\n", $texts),
            $this->remark(),
        );
    }

    /** @param Closure(string, int): list<Endpoint> $endpoints */
    private function log(
        string $word,
        Definition $definition,
        Scenario $scenario,
        Closure $endpoints,
        string $directory,
    ): string {
        $missing = $definition->missing();
        if ($missing !== []) {
            return \sprintf("%s: PHP has no extension %s\n", $definition->title, implode(', ', $missing));
        }
        $servers = $definition->needs === Kind::None
            ? []
            : $endpoints($definition->needs->value, $definition->instances);
        $begun = (new Stampede())->hits(
            $scenario,
            new Job(
                'stampede',
                $definition->id,
                [],
                $this->seconds,
                0,
                1,
                $servers,
                $directory,
                'b3:',
                checked: $definition->isChecked(),
            ),
            $definition,
        );
        $expiries = ComputeLog::perExpiry($begun, $scenario->apart());

        return \sprintf("%s:\n", $definition->title)
            . implode('', array_map(fn(array $second): string => self::lines($word, $second), self::bySecond($begun)))
            . \sprintf(
                "%d database hits in %s s, %d expiries: %s\n",
                \count($begun),
                $this->seconds,
                \count($expiries),
                implode(' + ', $expiries),
            );
    }

    /**
     * @param list<Compute> $begun
     *
     * @return list<non-empty-list<Compute>>
     */
    private static function bySecond(array $begun): array
    {
        $seconds = [];
        foreach ($begun as $hit) {
            $seconds[(int) $hit['moment']][] = $hit;
        }

        return array_values($seconds);
    }

    /** @param non-empty-list<Compute> $hits of one second */
    private static function lines(string $word, array $hits): string
    {
        $line = \sprintf(
            "[%s UTC] %s database hit: %s\n",
            gmdate('d-M-Y H:i:s', (int) $hits[0]['moment']),
            $word,
            date('Y-m-d H:i:s', (int) $hits[0]['moment']),
        );
        $more = \count($hits) - self::SHOWN;

        return str_repeat($line, min(self::SHOWN, \count($hits)))
            . ($more > 0 ? \sprintf("... and %d more in this second\n", $more) : '');
    }

    private function remark(): string
    {
        return \sprintf(
            'The value lives %s s, and from %s s on it is to be made anew; the query takes %.0f ms; each visitor asks '
                . '%s times a second for %s s, after it was made once. '
            . 'The source had 600 s, 300 s and 5 s. Its log shows one hit in 300 s with the protection and nine in '
            . 'the first second without.',
            $this->life,
            $this->life / 2,
            $this->compute * 1e3,
            $this->pace,
            $this->seconds,
        );
    }
}
