<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Discovery\Discovery;
use Larder\Discovery\StaticServers;
use Larder\Exception\NoServersFound;

/** Says what a test tells it to say; null: it fails. */
final class GivenServers implements Discovery
{
    public int $asked = 0;

    /** @param array<string, int>|null $servers */
    public function __construct(public ?array $servers) {}

    public function servers(): array
    {
        ++$this->asked;

        return $this->servers === null
            ? throw NoServersFound::because('Nobody answers.')
            : (new StaticServers($this->servers))->servers();
    }
}
