<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http\Fixture;

use Larder\Testbed\Load\Target;
use Larder\Testbed\Process\Command;
use Larder\Testbed\Server\Endpoint;
use RuntimeException;

/** An HTTP server of one process. It has one fault or none. */
final readonly class FaultyServer
{
    private Command $program;
    private int $port;

    public function __construct(string $fault = '')
    {
        $this->program = new Command([PHP_BINARY, '-n', __DIR__ . '/faulty-server.php', $fault]);
        $this->port = (int) (
            $this->program->line(microtime(true) + 5.0)
                ?? throw new RuntimeException($this->program->complaint())
        );
    }

    public function url(): string
    {
        return "http://127.0.0.1:{$this->port}/page";
    }

    public function target(): Target
    {
        return new Target($this->url(), str_repeat('a right page ', 150), [], [$this->program->pid]);
    }

    /** It has the same keys as the endpoint of a PageSite. */
    public function endpoint(): Endpoint
    {
        return new Endpoint(
            '127.0.0.1',
            $this->port,
            pids: [$this->program->pid],
            extra: ['static' => $this->url(), 'hit' => $this->url(), 'static-2' => $this->url()],
        );
    }
}
