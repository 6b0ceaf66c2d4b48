<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Code\MemcachedPool;
use Larder\Code\Publisher;
use Larder\Code\SecretKey;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Quantile;
use Larder\Testbed\Server\Cpu;

/**
 * Eight readers of a page of 50 classes, while the host switches to another release five times a second, or never. All
 * releases were pulled and warmed before. Each answer must be of the release that the link named when it was asked for.
 */
final readonly class Switching implements Workload
{
    private const READERS = 8;
    private const RELEASES = 6;
    private const CLASSES = 50;
    private const PATIENCE = 60.0;

    /** Microseconds from one switch to the next. */
    private const PAUSE = 200_000;

    public function refuses(Definition $subject): ?string
    {
        return str_starts_with($subject->id, 'switch-') ? null : 'switches to no release';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window has its host.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $name = 'w' . bin2hex(random_bytes(4));
        $directory = "$job->directory/$name";
        $address = $job->context()->serverOfWorker()->address();
        $key = SecretKey::make();
        $host = new Host($directory, $address, $key->public(), $name);
        try {
            $php = $host->start(self::READERS);
            $publisher = new Publisher(new MemcachedPool($address), $key, $name);
            for ($release = 0; $release < self::RELEASES; ++$release) {
                $files = new ClassFiles("$directory/source-$release", self::CLASSES);
                $files->make();
                file_put_contents("$files->directory/index.php", '<?php foreach (' . var_export($files->names(), true)
                    . " as \$file) { require __DIR__ . '/' . \$file; }\necho 's$release';\n");
                $publisher->push($files->directory, "s$release");
                $host->pull();
                $host->warm("s$release");
            }
            $host->releases->switchTo('s0');
            $this->load($host, $php->socket, $job->warmUp, false);
            $pids = $php->endpoint()->pids;
            $cpu = Cpu::of($pids);
            $took = $this->load($host, $php->socket, $job->seconds, $subject->id === 'switch-five');
            $cpu = Cpu::of($pids) - $cpu;
        } finally {
            $host->stop();
        }

        $latency = new Histogram();
        array_map($latency->record(...), $took);
        $count = \count($took);

        return new Measured(
            new Window($job->block, 0, $job->seconds, $count, 0, 0, 0.0, $cpu, [$count]),
            $latency,
            extra: ['p99.9, ms' => Quantile::of(array_map(floatval(...), $took), 0.999) / 1e6],
            coverage: Coverage::every($count),
        );
    }

    /** @return non-empty-list<int> nanoseconds of each request */
    private function load(Host $host, string $socket, float $seconds, bool $switches): array
    {
        $end = hrtime(true) + (int) ($seconds * 1e9);
        $current = $host->releases->directory . '/current';
        $readers = new WorkerPool(static function () use ($socket, $current, $end): array|string {
            $took = [];
            do {
                $begin = hrtime(true);
                $link = (string) readlink($current);
                $said = (new FastCgi($socket, \dirname($current) . "/$link/index.php"))->get('');
                $took[] = hrtime(true) - $begin;
                if ($said !== basename($link)) {
                    return basename($link) . ' was asked for, and answered: ' . ($said ?? 'nothing');
                }
            } while (hrtime(true) < $end);

            return $took;
        });
        $readers->fill(self::READERS);
        for ($release = 1; $switches; ++$release) {
            usleep(self::PAUSE);
            $host->releases->switchTo('s' . $release % self::RELEASES);
            $switches = hrtime(true) < $end - self::PAUSE * 1000;
        }
        $all = [];
        foreach ($readers->end($seconds + self::PATIENCE) as $reader) {
            if (\is_string($reader->result)) {
                throw new WrongReply($reader->result);
            }
            array_push($all, ...array_filter((array) $reader->result, is_int(...)));
        }

        return $all === [] ? throw new Failed('no reader has ended') : $all;
    }
}
