<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;

/** A process that asks for one page a few times a second, beside wrk, and compares the body byte for byte. */
final readonly class Verifier
{
    /** Seconds that the last check may take. */
    private const PATIENCE = 20.0;

    private Board $board;
    private WorkerPool $pool;

    public function __construct(int $port, string $uri, string $host, string $body, int $perSecond)
    {
        $this->board = $board = Board::create(['over' => 1, 'right' => 1, 'wrong' => 1]);
        $this->pool = new WorkerPool(static function () use ($board, $port, $uri, $host, $body, $perSecond): void {
            $connection = new Connection('127.0.0.1:' . $port, $host);
            while ($board->get('over') === 0) {
                $board->add($connection->request($uri)?->body === $body ? 'right' : 'wrong');
                usleep(intdiv(1_000_000, $perSecond));
            }
        });
        $this->pool->fill(1);
    }

    /** @return array{int, int} bodies that were right and wrong; a process that failed counts as wrong */
    public function stop(): array
    {
        $this->board->set('over', 1);
        $failed = array_filter($this->pool->end(self::PATIENCE), static fn($end): bool => !$end->finished);

        return [$this->board->get('right'), $this->board->get('wrong') + \count($failed)];
    }
}
