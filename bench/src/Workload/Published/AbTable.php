<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\Http\PageTargets;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Process\Command;

/**
 * `ab -c 50 -n 5000` for the page without and with a cache: the output of ab, and below it the rates of the same pages
 * with every reply verified.
 */
final readonly class AbTable implements PublishedRun
{
    private const PATIENCE = 120.0;

    /** @param non-empty-array<string, Definition> $pages by name: uncached, cached */
    public function __construct(
        private array $pages,
        private int $requests = 5000,
        private int $connections = 50,
        private float $seconds = 2.0,
    ) {}

    public function name(): string
    {
        return 'pages';
    }

    public function run(Closure $endpoints, string $directory, Closure $progress): Published
    {
        $text = '';
        $verified = [];
        foreach ($this->pages as $name => $page) {
            $job = new Job(
                $this->name(),
                $page->id,
                ['connections' => $this->connections, 'keepalive' => false],
                $this->seconds,
                0,
                1,
                $endpoints(Kind::Site->value, 1),
                $directory,
                '',
                1.0,
                checked: $page->isChecked(),
            );
            $targets = new PageTargets();
            $targets->prepare($job, $page);
            $target = $targets->target($job, $page);
            $progress(\sprintf('%s: %s page by ab', $this->name(), $name));
            $text .= \sprintf(
                "%s page\n$ %s\n\n%s\n\n",
                ucfirst($name),
                implode(' ', $this->command($target)),
                $this->ab($target),
            );
            $progress(\sprintf('%s: %s page, verified', $this->name(), $name));
            $measured = (new Pages($targets))->measure($job, $page);
            $verified[] = \sprintf(
                '%-12s %10.2f verified requests/s, p50 %.1f ms, p99 %s ms, %d errors, %d bytes each',
                $name,
                $measured->window->rate(),
                ($measured->latency->percentile(0.5) ?? 0.0) / 1e6,
                $measured->latency->percentile(0.99) === null
                    ? '?'
                    : \sprintf('%.1f', $measured->latency->percentile(0.99) / 1e6),
                $measured->window->errors,
                \strlen($target->body),
            );
        }

        return new Published(
            $this->name(),
            \sprintf('B5: a page without and with a cache, ab -c %d -n %d', $this->connections, $this->requests),
            $text
                . \sprintf(
                    "Every reply compared with the page (%d connections, each request on a new one):\n",
                    $this->connections,
                )
                . implode("\n", $verified) . "\n",
            'ab runs on the same machine as the servers and compares lengths, not contents: a page of errors that is '
                . 'as long as the first reply passes for a fast one, '
            . 'and it lists other statuses than 2xx in a separate line and counts them nevertheless. It waits for '
            . 'its slowest request at the end, and times stop at whole milliseconds.',
        );
    }

    /** @return non-empty-list<string> */
    private function command(Target $target): array
    {
        return ['ab', '-c', (string) $this->connections, '-n', (string) $this->requests, $target->url];
    }

    private function ab(Target $target): string
    {
        $child = new Command($this->command($target));
        $text = trim($child->rest(microtime(true) + self::PATIENCE));
        if (preg_match('/^Complete requests:\s+(\d+)$/m', $text, $match) !== 1 || (int) $match[1] !== $this->requests) {
            throw new Failed(\sprintf('ab did not end: %s', $child->complaint()));
        }

        return $text;
    }
}
