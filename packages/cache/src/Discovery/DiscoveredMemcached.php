<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Closure;
use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Memcached;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;

/**
 * The client for the servers that there are now:
 *
 *     $servers = new DiscoveredMemcached(new FileServers('/etc/memcached.servers'), static fn(array $servers) => new
 *     Memcached($servers, 'site:'));
 *     $servers->client()->get('k');
 *
 * Call client() for each piece of work. While the servers stay, it is the same client. A call that is under way when
 * the list changes ends on the servers with which it began. So take a server off the list first, and stop it when every
 * process has looked at the list since.
 */
final class DiscoveredMemcached
{
    private ?Memcached $client = null;

    /** @var array<string, int> those of the client */
    private array $servers = [];

    /** The last logged reason why the servers are not known. */
    private ?string $said = null;

    /** @param Closure(non-empty-array<string, int<1, 1000>>): Memcached $connect makes the client for these servers */
    public function __construct(
        private readonly Discovery $discovery,
        private readonly Closure $connect,
        private readonly ?LoggerInterface $log = null,
    ) {}

    /** @throws NoServersFound|InvalidServer only as long as there was no client yet */
    public function client(): Memcached
    {
        try {
            $servers = $this->discovery->servers();
        } catch (NoServersFound|InvalidServer $failure) {
            $this->client ?? throw $failure;
            if ($this->said !== $failure->getMessage()) {
                $this->said = $failure->getMessage();
                ($this->log ?? new SparingLogger())->error(
                    'The memcached servers stay as they were. {reason}',
                    ['reason' => $this->said, 'exception' => $failure],
                );
            }

            return $this->client;
        }
        $this->said = null;
        if ($this->client === null || $servers !== $this->servers) {
            $former = $this->client;
            $this->client = ($this->connect)($servers);
            $this->servers = $servers;
            // Otherwise connections to servers that are gone would stay until the process ends. Code that still has
            // the client can go on using it.
            $former?->close();
        }

        return $this->client;
    }
}
