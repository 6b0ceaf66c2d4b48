<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** A server that this run started, in a directory of its own. Ends by pid; the destructor does it too. */
interface Server
{
    /** The pids are those of now. */
    public function endpoint(): Endpoint;

    /** For the environment block: "memcached 1.6.18". */
    public function version(): string;

    /** The command line that started it. */
    public function command(): string;

    /** @phpstan-impure */
    public function isRunning(): bool;

    public function stop(): void;
}
