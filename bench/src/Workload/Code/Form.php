<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Subject;

/**
 * A way by which a program gets its classes. What it costs is measured in processes that libexec/load-code.php runs in.
 */
final readonly class Form implements Subject
{
    /** @param int $batch files of a round trip; 0: no round trips, the files lie on this host */
    public function __construct(public Way $way, public int $batch = 0) {}

    public function connect(Context $context): void
    {
        // Each load connects in its own process.
    }

    public function close(): void {}
}
