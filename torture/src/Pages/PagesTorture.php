<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Closure;
use Larder\Metrics\FileCounters;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Server\RunningSite;
use PDO;
use RuntimeException;

/**
 * Readers and writers on real servers, while php-fpm workers and writers are killed every few milliseconds.
 *
 * Invariant: no GET shows less than what the reader's own SELECT had seen before it. Writers that were killed count as soon as
 * their COMMIT is there to be seen.
 */
final class PagesTorture
{
    private const READERS = 3;
    private const WRITERS = 2;

    /** Milliseconds between two kills of a php-fpm worker. */
    private const KILL_AFTER = [4, 24];

    /** One kill in so many takes a writer. */
    private const WRITER_SHARE = 12;

    /** Microseconds that a writer rests between two changes. */
    private const REST = 50_000;

    private int $killed = 0;

    private readonly string $counts;

    /**
     * @param string                $database SQLite file; no connection to it may be open in this process when it forks
     * @param Closure(string): void $progress told once a second
     * @param bool                  $kills    false: readers and writers only
     */
    public function __construct(
        private readonly Site $site,
        private readonly RunningSite $running,
        private readonly string $database,
        private readonly Closure $progress,
        private readonly bool $kills = true,
    ) {
        $this->counts = $running->directory . '/changes';
    }

    public function run(float $seconds): TortureResult
    {
        $end = microtime(true) + $seconds;
        $pipes = [];
        $readers = [];
        for ($i = 0; $i < self::READERS; ++$i) {
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            [$ours, $theirs] = $pair !== false ? $pair : throw new RuntimeException('No pipe.');
            $readers[] = self::fork(fn() => $this->read($end, $theirs));
            fclose($theirs);
            $pipes[] = $ours;
        }
        $writers = [];
        for ($i = 0; $i < self::WRITERS; ++$i) {
            $writers[] = self::fork($this->write(...));
        }
        $this->kill($end, $writers);
        foreach ($writers as $writer) {
            posix_kill($writer, SIGKILL);
            pcntl_waitpid($writer, $status);
        }
        $tally = new ReaderTally();
        foreach ($pipes as $i => $pipe) {
            stream_set_timeout($pipe, 30);
            $sent = unserialize((string) stream_get_contents($pipe), ['allowed_classes' => [ReaderTally::class]]);
            $sent instanceof ReaderTally ? $tally->add($sent) : $tally->wrong('a reader died');
            pcntl_waitpid($readers[$i], $status);
        }

        return new TortureResult($tally, $this->changes(), $this->killed, (new FileCounters($this->site->pages . '/counters'))->all());
    }

    /** @param array<int> $writers by number, 0 to WRITERS - 1 */
    private function kill(float $end, array &$writers): void
    {
        $told = microtime(true);
        while (microtime(true) < $end) {
            usleep(random_int(self::KILL_AFTER[0], self::KILL_AFTER[1]) * 1000);
            if ($this->kills && random_int(1, self::WRITER_SHARE) === 1) {
                $victim = random_int(0, self::WRITERS - 1);
                posix_kill($writers[$victim], SIGKILL);
                pcntl_waitpid($writers[$victim], $status);
                $writers[$victim] = self::fork($this->write(...));
                ++$this->killed;
            } elseif ($this->kills) {
                $workers = $this->running->php->workers();
                $this->killed += $workers !== [] && posix_kill($workers[array_rand($workers)], SIGKILL) ? 1 : 0;
            }
            if (microtime(true) - $told >= 1) {
                $told = microtime(true);
                ($this->progress)(\sprintf('%d changes, %d kills, %d s left', $this->changes(), $this->killed, (int) ceil(max(0, $end - $told))));
            }
        }
    }

    /** @param resource $pipe */
    private function read(float $end, mixed $pipe): void
    {
        $reader = new Reader(new Connection('127.0.0.1:' . $this->running->port), HotItems::of($this->connect()));
        while (microtime(true) < $end) {
            $reader->read();
        }
        fwrite($pipe, serialize($reader->tally()));
    }

    private function write(): never
    {
        $database = ($this->site->connect)();
        $ledger = Pages::of($this->site)->ledger($database);
        $items = HotItems::of($database);
        while (true) {
            $items->change($ledger, $database);
            file_put_contents($this->counts, '.', FILE_APPEND);
            usleep(random_int(0, 2 * self::REST));
        }
    }

    private function connect(): PDO
    {
        return new PDO('sqlite:' . $this->database, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 10]);
    }

    /** Each writer adds a byte after a change that it lived to see; killed ones are not counted. */
    private function changes(): int
    {
        clearstatcache(true, $this->counts);

        return is_file($this->counts) ? (int) filesize($this->counts) : 0;
    }

    /** @param Closure(): mixed $do */
    private static function fork(Closure $do): int
    {
        $child = pcntl_fork();
        if ($child === 0) {
            try {
                $do();
            } catch (\Throwable $failure) {
                fwrite(STDERR, $failure . "\n");
            }
            posix_kill((int) getmypid(), SIGKILL);
        }

        return $child;
    }
}
