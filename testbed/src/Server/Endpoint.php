<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** Where one server answers, and whose CPU its work costs. */
final readonly class Endpoint
{
    /**
     * @param int         $port    TCP; 0: none
     * @param int         $udpPort 0: none
     * @param string|null $socket  unix socket's path
     * @param list<int> $pids the processes whose CPU is the server's, children not counted: nginx's and php-fpm's
     *     workers, not their masters alone
     * @param array<string, string> $extra what only one kind of server has: "user", "database", "handlersocket" (a
     *     port), "url"
     */
    public function __construct(
        public string $host,
        public int $port,
        public int $udpPort = 0,
        public ?string $socket = null,
        public array $pids = [],
        public array $extra = [],
    ) {}

    /** As Larder's stores take it: the socket's path behind `unix:`, or host and port. */
    public function address(): string
    {
        return $this->socket !== null ? 'unix:' . $this->socket : $this->host . ':' . $this->port;
    }
}
