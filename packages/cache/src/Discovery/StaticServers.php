<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;

/** Servers from the program's configuration. */
final readonly class StaticServers implements Discovery
{
    /** @var non-empty-array<string, int<1, 1000>> */
    private array $servers;

    /**
     * @param string|array<array-key, string|int> $servers a server, a list of them, or weights (1 to 1000) by them
     *
     * @throws InvalidServer
     */
    public function __construct(string|array $servers)
    {
        $list = new ServerList();
        foreach ((array) $servers as $key => $value) {
            \is_int($key) ? $list->add((string) $value) : $list->add($key, $value);
        }
        $this->servers = $list->all();
    }

    public function servers(): array
    {
        return $this->servers;
    }
}
