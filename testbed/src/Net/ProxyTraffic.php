<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

/** Decides what a proxy does to the bytes of its connections. */
interface ProxyTraffic
{
    /** A client has connected, and so has the proxy to the server. */
    public function opened(ProxiedConnection $connection): void;

    /** @return string what goes to the server in place of the bytes that the client has just sent */
    public function request(ProxiedConnection $connection, string $bytes): string;

    /** @return string what goes to the client in place of the bytes that the server has just sent */
    public function reply(ProxiedConnection $connection, string $bytes): string;

    /**
     * The client has closed. Without a call of end() here, the server sees that behind the bytes that are still under
     * way.
     */
    public function closed(ProxiedConnection $connection): void;
}
